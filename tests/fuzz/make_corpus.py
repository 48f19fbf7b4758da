#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets, and what other tests read: small files of every kind, as NumPy, SciPy, h5py
and sven write them."""
import gzip
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
import scipy.sparse

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).resolve().parent / "corpus"
PROGRAM = ROOT / "build/release/sven"


def write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def npy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def npz(matrix, **options):
    buffer = io.BytesIO()
    scipy.sparse.save_npz(buffer, matrix, **options)
    return buffer.getvalue()


def tables():
    plain = "a,b,y\n1,2,3\n4.5,-6e-2,7\n"
    texts = '"",color,"a ""b""",y\n"r1",red,1,2\r\n"r2",blue,NA,3\n# comment\nr3,red,,4\n'
    # Bit 6 has the reader skip the comment in `texts`.
    for options in (0, 2, 4, 6, 8, 12, 16, 32):
        write("csv", f"plain-{options}", bytes([options, 0]) + plain.encode())
        write("csv", f"texts-{options}", bytes([options | 64, 0]) + texts.encode())
    others = 'd,f,u,y\n2024-01-31,a,"1.234,5\n",2\n01.02.2024,,NA,\n2024-02-03 12:30,b,"3,5",4\n'
    for options in (1, 13, 63, 127):
        write("csv", f"others-{options}", bytes([0, options]) + others.encode())
        write("csv", f"blanks-{options}", bytes([0, options]) + plain.replace(",", "  ").encode())
    write("csv", "tabs", b"\x01\x00" + plain.replace(",", "\t").encode())
    write("svmlight", "plain", "1.5 1:2 3:-4e1 # note\n-1 qid:3 2:0.5\n")
    write("vector", "plain", "1\n2.5\n-3e2\n")
    write("vector", "table", '"","x"\n"1",2\n"2",3\n')
    write("vector", "npy", npy(np.arange(3)))


def matrices():
    A = np.array([[1.0, 0, 2], [0, 3, 0]])
    write("matrix_market", "array", "%%MatrixMarket matrix array real general\n% note\n2 2\n1\n2\n3\n4\n")
    write("matrix_market", "coordinate", "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 5\n2 3 7\n")
    write("matrix_market", "symmetric", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n")
    for name, array in {"c": A, "fortran": np.asfortranarray(A), "float32": A.astype(np.float32)}.items():
        write("npy", name, npy(array))
    for kind in ("csr", "csc"):
        for packed in (True, False):
            write("npz", f"{kind}-{packed}", npz(scipy.sparse.csr_matrix(A).asformat(kind), compressed=packed))
    write("gzip", "text", gzip.compress(b"a,y\n1,2\n", mtime=0) + gzip.compress(b"3,4\n", mtime=0))


def genotypes():
    write("plink", "bed", b"\x00\x05\x03" + b"\x6c\x1b\x01\x78\x00\x55\x02\xff\x02")
    write("plink", "fam", b"\x01\x00\x00" + b"F1 a 0 0 1 1.5\nF1 b 0 0 2 -9\n")
    write("plink", "bim", b"\x02\x00\x00" + b"1 rs1 0 100 A G\n1\t.\t0\t200\tC\tT\n")
    write("plink", "people", b"\x03\x00\x00" + b"#FID IID t u\nx e 1 5\nx a 2 NA\n")
    write("plink", "people-csv", b"\x03\x00\x00" + b'IID,age\n"e",40\na,\n')


def documents():
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "d.csv"
        data.write_text("color,age,y\nred,1,2\nblue,,3\nred,4,7\ngreen,2,1\nblue,9,8\n")
        options = [str(data), "--one-hot", "--impute", "mean", "--n-lambda", "3"]
        subprocess.run([PROGRAM, "cv", *options, "--folds", "2", "--choose", "min", "-o", f"{folder}/model.json", "--save",
                        f"{folder}/cv.json"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([PROGRAM, "path", *options, "-o", f"{folder}/path.json"], check=True, stdout=subprocess.DEVNULL)
        for name, options in {"plain": [], "folds": ["--folds", "2"]}.items():
            subprocess.run([PROGRAM, "gram", str(data), "--drop", "color", "--drop-missing", *options, "-o",
                            f"{folder}/s.npz"], check=True, stdout=subprocess.DEVNULL)
            write("statistics", name, (Path(folder) / "s.npz").read_bytes())
        for target, name in [("model", "model"), ("results", "cv"), ("results", "path")]:
            document = json.loads((Path(folder) / f"{name}.json").read_text())
            if "data" in document:
                document["data"]["file"] = "d.csv"
                document["seconds"] = 0.1
            write(target, name, json.dumps(document))


def hierarchies():
    """No fuzzer starts from these: it would look for mistakes of libhdf5."""
    X = np.array([[1.0, 0, 2], [0, 3, 0], [4, 5, 6], [7, 8, 10]])
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        file.create_dataset("lying", data=X)
        file.create_dataset("packed", data=X.astype(np.int32), chunks=(2, 2), compression="gzip")
        file.create_dataset("names", data=["a", "b", "c"])
        file.create_dataset("y", data=np.array([1.0, 2, 4, 3]))
    write("hdf5", "arrays", buffer.getvalue())


if __name__ == "__main__":
    tables()
    matrices()
    hierarchies()
    genotypes()
    documents()
    sys.stdout.write(f"{sum(1 for path in CORPUS.rglob('*') if path.is_file())} seeds\n")
