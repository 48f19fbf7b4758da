#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "sven/mpi.hpp"

namespace sven::mpi {
namespace {

constexpr int tag = 0x5e;
// Bytes of one call of MPI, which counts them by an int.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
// A look takes about a tenth of a microsecond: some 50 us awake, then naps that are short beside
// what a rank is asked to do.
constexpr int looks_awake = 500;
constexpr std::chrono::microseconds nap{50};

class Ranks final : public Communicator {
  public:
    Ranks(MPI_Comm communicator, bool finalizes) : finalizes_(finalizes) {
        MPI_Comm_dup(communicator, &communicator_);
        MPI_Comm_rank(communicator_, &rank_);
        MPI_Comm_size(communicator_, &size_);
    }
    ~Ranks() override {
        MPI_Comm_free(&communicator_);
        if (finalizes_) MPI_Finalize();
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }

    void send(int to, const std::string& bytes) override {
        const auto size = static_cast<unsigned long long>(bytes.size());
        MPI_Send(&size, 1, MPI_UNSIGNED_LONG_LONG, to, tag, communicator_);
        for (std::size_t begin = 0; begin < bytes.size(); begin += most_bytes)
            MPI_Send(bytes.data() + begin,
                     static_cast<int>(std::min(most_bytes, bytes.size() - begin)), MPI_BYTE, to,
                     tag, communicator_);
    }

    std::string receive(int from) override {
        await(from);
        unsigned long long size = 0;
        MPI_Recv(&size, 1, MPI_UNSIGNED_LONG_LONG, from, tag, communicator_, MPI_STATUS_IGNORE);
        std::string bytes(size, '\0');
        for (std::size_t begin = 0; begin < bytes.size(); begin += most_bytes)
            MPI_Recv(bytes.data() + begin,
                     static_cast<int>(std::min(most_bytes, bytes.size() - begin)), MPI_BYTE, from,
                     tag, communicator_, MPI_STATUS_IGNORE);
        return bytes;
    }

  private:
    // MPI waits with a whole processor, which others on the machine may have work for.
    void await(int from) const {
        int is_there = 0;
        for (int looks = 0;; ++looks) {
            MPI_Iprobe(from, tag, communicator_, &is_there, MPI_STATUS_IGNORE);
            if (is_there != 0) return;
            if (looks < looks_awake)
                std::this_thread::yield();
            else
                std::this_thread::sleep_for(nap);
        }
    }

    MPI_Comm communicator_ = MPI_COMM_NULL;
    bool finalizes_;
    int rank_ = 0;
    int size_ = 1;
};

}  // namespace

std::unique_ptr<Communicator> over(const void* mpi_comm) {
    return std::make_unique<Ranks>(*static_cast<const MPI_Comm*>(mpi_comm), false);
}

std::unique_ptr<Communicator> world() {
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    int granted = 0;
    if (is_initialized == 0) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &granted);
    return std::make_unique<Ranks>(MPI_COMM_WORLD, is_initialized == 0);
}

void abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();  // which is not reached
}

}  // namespace sven::mpi
