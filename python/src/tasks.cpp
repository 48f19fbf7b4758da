#include "tasks.hpp"

#include <stdexcept>

#include "interpreter.hpp"
#include "sven/distributed.hpp"

namespace svenet {
namespace {

std::string text_of(const nb::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}

nb::bytes bytes_of(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}

// Called by threads of the library, which the caller waits for without the GIL. An exception of
// Python goes through the library to that caller.
class PythonTasks final : public sven::ColumnTasks {
  public:
    explicit PythonTasks(nb::object ask) : ask_(std::move(ask)) {}
    ~PythonTasks() override {
        if (WithoutGil::must_end()) {
            (void)ask_.release();  // Python has gone
            return;
        }
        const nb::gil_scoped_acquire with_gil;
        ask_.reset();
    }
    PythonTasks(const PythonTasks&) = delete;
    PythonTasks& operator=(const PythonTasks&) = delete;

    std::vector<std::string> run(std::span<const Task> tasks, const std::string& common,
                                 const std::function<bool()>& is_cancelled) override {
        if (WithoutGil::must_end()) throw std::runtime_error("the interpreter has ended");
        const nb::gil_scoped_acquire with_gil;
        nb::list parts, messages;
        for (const Task& task : tasks) {
            parts.append(task.part);
            messages.append(bytes_of(task.message));
        }
        const nb::object found = ask_(parts, messages, bytes_of(common),
                                      nb::cpp_function([&] { return is_cancelled(); }));
        std::vector<std::string> answers;
        for (const nb::handle answer : found)
            answers.push_back(text_of(nb::cast<nb::bytes>(answer)));
        return answers;
    }

  private:
    nb::object ask_;
};

}  // namespace

Matrix columns_of_tasks(sven::Index rows, const std::vector<sven::Index>& cols, nb::object ask) {
    return {sven::ask_for_columns(std::make_shared<PythonTasks>(std::move(ask)), rows, cols), {}};
}

nb::bytes answer_for_columns(const Matrix& part, const nb::bytes& message,
                             const nb::bytes& common) {
    const std::string request = text_of(message);
    const std::string shared = text_of(common);
    sven::Options options;
    options.threads = 1;  // the scheduler has others at work
    std::string answer;
    {
        const WithoutGil released;
        answer = sven::answer_for_columns(part.view, request, shared, options);
    }
    return bytes_of(answer);
}

}  // namespace svenet
