#include "io/files.hpp"
#include "io/plink.hpp"
#include "sven/predict.hpp"

namespace sven::io::testing {
namespace {

// Five people, three variants: 2 1 0 . 2, all missing but one, 0 0 0 0 1 (of A1).
const std::string bed{"\x6c\x1b\x01\x78\x00\x55\x02\xff\x02", 9};
const char* const bim = "1 rs1 0 100 A G\n1 rs2 0 200 C T\n2\t.\t0\t300\tG\tA\n";
const char* const fam =
    "F1 a 0 0 1 1.5\nF1 b 0 0 2 -9\nF2 c 0 0 1 2.5\nF2 d 0 0 0 NA\nF3 e 0 0 1 4\n";

class Plink : public ::testing::Test {
  protected:
    std::string write(const std::string& genotypes = bed) const {
        folder_.write("d.bim", bim);
        folder_.write("d.fam", fam);
        return folder_.write("d.bed", genotypes);
    }
    Folder folder_;
};

TEST_F(Plink, ReadsWhoHasAPhenotype) {
    const Dataset data = read(write());
    ASSERT_TRUE(std::holds_alternative<GenotypeView>(data.X));
    EXPECT_EQ(data.row_names, (std::vector<std::string>{"a", "c", "e"}));
    EXPECT_EQ(data.y, (std::vector<double>{1.5, 2.5, 4}));
    EXPECT_EQ(data.feature_names, (std::vector<std::string>{"rs1", "rs2", "2:300"}));
    EXPECT_EQ(data.target_name, "phenotype");
    EXPECT_EQ(data.remarks,
              (std::vector<std::string>{"2 people without a phenotype, left out: b, d"}));
    EXPECT_EQ(data.alleles[1].counted, "C");
    EXPECT_EQ(entry(data.X, 0, 0), 2);
    EXPECT_EQ(entry(data.X, 1, 0), 0);
    EXPECT_TRUE(std::isnan(entry(data.X, 1, 1)));
    EXPECT_EQ(entry(data.X, 2, 2), 1);
}

TEST_F(Plink, CountsTheOtherAllele) {
    const Dataset data = read(write(), {.has_response = false, .counted_allele = Allele::a2});
    EXPECT_EQ(rows(data.X), 5);
    EXPECT_TRUE(data.y.empty());
    EXPECT_EQ(entry(data.X, 1, 0), 1);
    EXPECT_EQ(entry(data.X, 2, 0), 2);
    EXPECT_EQ(data.alleles[1].counted, "T");
    EXPECT_EQ(data.alleles[1].other, "C");
}

TEST_F(Plink, JoinsTablesByPerson) {
    const std::string path = write();
    const std::string y =
        folder_.write("y.txt", "#FID IID t u\nx e 1 5\nx a 2 NA\nx b 3 6\nx z 4 7\n");
    const std::string c = folder_.write("c.csv", "IID,age,sex\ne,40,1\na,50,2\nb,,1\nd,60,2\n");
    const Dataset data = read(path, {.phenotypes = y, .phenotype_name = "t", .covariates = c});
    EXPECT_EQ(data.row_names, (std::vector<std::string>{"a", "e"}));
    EXPECT_EQ(data.y, (std::vector<double>{2, 1}));
    EXPECT_EQ(data.target_name, "t");
    EXPECT_EQ(data.covariates, 2);
    EXPECT_EQ(data.feature_names.size(), 5U);
    EXPECT_EQ(data.feature_names[3], "age");
    const DenseView& beside = std::get<GenotypeView>(data.X).beside;
    EXPECT_EQ(entry(beside, 0, 0), 50);
    EXPECT_EQ(entry(beside, 1, 1), 1);
    ASSERT_EQ(data.remarks.size(), 5U);
    EXPECT_EQ(data.remarks[0].substr(0, 31), "2 people of the .fam file not i");
    EXPECT_EQ(data.remarks[1].substr(data.remarks[1].size() - 24), " not in the .fam file: z");
    EXPECT_EQ(data.remarks[2], "2 people without a phenotype, left out: c, d");
}

TEST_F(Plink, KnowsCasesAndControls) {
    folder_.write("d.bim", bim);
    folder_.write("d.fam", "F a 0 0 1 1\nF b 0 0 2 0\nF c 0 0 1 2\nF d 0 0 0 -9\nF e 0 0 1 1\n");
    const Dataset data = read(folder_.write("d.bed", bed));
    EXPECT_EQ(data.y, (std::vector<double>{1, 2, 1}));
}

// The genotypes stay in the mapped file, of which all but the last variant is a hole.
TEST_F(Plink, ReadsMoreThanTwoToThe31EntriesWhereTheyLie) {
    constexpr Index people = 40000;
    constexpr Index variants = 60000;
    constexpr Index stride = people / 4;
    const std::string path = folder_.write("d.bed", bed.substr(0, 3));
    std::filesystem::resize_file(path, 3 + stride * variants);
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(3 + stride * (variants - 1));
        file << std::string(static_cast<std::size_t>(stride), '\x78');
    }
    const Source source(path);
    const GenotypeView X = view_of_bed(source, people, variants);
    EXPECT_GT(rows(X) * X.variants, Index{1} << 31);
    const std::vector<Coefficient> last{{variants - 2, 0.5, 0}, {variants - 1, 1, 0}};
    const std::vector<double> predicted = predict(X, 0, last);
    for (const Index i : {Index{0}, people - 4}) {
        EXPECT_EQ(predicted[i], 1 + 2);
        EXPECT_EQ(predicted[i + 1], 1 + 1);
        EXPECT_EQ(predicted[i + 2], 1 + 0);
        EXPECT_EQ(predicted[i + 3], 1 + 1);  // missing: the mean of 2, 1 and 0
    }
}

}  // namespace
}  // namespace sven::io::testing
