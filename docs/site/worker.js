// The search runs in a worker, which browsers refuse to pages that are opened from a disk: there a hidden frame takes its place.
if (location.protocol === "file:") {
    window.Worker = class extends EventTarget {
        constructor(address) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            document.body.appendChild(frame);
            this.inside = frame.contentWindow;
            window.addEventListener("message", (event) => {
                if (event.source !== this.inside) return;
                const message = new MessageEvent("message", { data: event.data });
                this.dispatchEvent(message);
                if (this.onmessage) this.onmessage(message);
            });
            this.ready = new Promise((resolve) => {
                window.addEventListener("load", resolve);
                frame.addEventListener("load", resolve);
            });
            const page = frame.contentDocument;
            page.open();
            page.write(
                "<script>function importScripts(...names) { return Promise.all(names.map((name) => new Promise((done, failed) => {" +
                    "const script = document.createElement('script'); script.src = name; script.onload = done; script.onerror = failed;" +
                    "document.body.appendChild(script); }))); }" +
                    "window.postMessage = (data) => parent.postMessage(data, '*');</scr" + "ipt>" +
                    `<body><script src="${address}"></scr` + "ipt></body>",
            );
            page.close();
        }

        postMessage(data) {
            this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
        }

        terminate() {}
    };
}
