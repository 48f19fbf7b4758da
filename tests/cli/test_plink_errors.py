"""Every error of PLINK's files, of the tables beside them and of the options that are for them alone."""
import pytest

from cli.command import succeed
from cli.test_errors import CSV, fail, write

BED = b"\x6c\x1b\x01\x78\x00\x55\x02\xff\x02"
GENOTYPES = {"d.bed": BED, "d.bim": "1 rs1 0 1 A G\n1 rs2 0 2 C T\n1 rs3 0 3 G A\n",
             "d.fam": "".join(f"F {name} 0 0 1 {k}.5\n" for k, name in enumerate("abcde"))}
# files beside those, arguments after d.bed, the sentence
PLINK = {
    "other bytes": ({"d.bed": b"\x6c\x1c\x01" + BED[3:]}, "",
                    "d.bed: this is not a PLINK 1 .bed file: its first bytes are others"),
    "by people": ({"d.bed": b"\x6c\x1b\x00" + BED[3:]}, "",
                  "d.bed: the genotypes lie person by person; plink --make-bed writes them variant by variant"),
    "cut off": ({"d.bed": BED[:-1]}, "", "d.bed: the file has 8 bytes, but 5 people and 3 variants take 9"),
    "too long": ({"d.bed": BED + b"\x00"}, "", "d.bed: the file has 10 bytes, but 5 people and 3 variants take 9"),
    "fields": ({"d.fam": "F a 0 0 1\n"}, "", "d.fam:1: the line has 5 fields, not 6"),
    "no people": ({"d.fam": "\n"}, "", "d.fam: the file names no people"),
    "no variants": ({"d.bim": ""}, "", "d.bim: the file names no variants"),
    "phenotype": ({"d.fam": GENOTYPES["d.fam"].replace("2.5", "tall")}, "", 'd.fam:3:6: "tall" is not a number'),
    "no .fam": ({"d.fam": None}, "", "d.fam: no such file"),
    "nobody": ({"d.fam": "".join(f"F {name} 0 0 1 -9\n" for name in "abcde")}, "", "d.bed: no people are left"),
    "no IID": ({"t": "id,y\na,1\n"}, "--pheno t", "t:1: the first line names no column IID, which people are found by"),
    "empty table": ({"t": "IID,y\n"}, "--pheno t", "t: the file names no people"),
    "short line": ({"t": "IID,y\na\n"}, "--pheno t", "t:2: the line has 1 fields, not 2"),
    "twice": ({"t": "IID,y\na,1\na,2\n"}, "--pheno t", 't:3: "a" is there twice'),
    "text": ({"t": "IID,y\na,tall\n"}, "--pheno t", 't:2:2: "tall" is not a number'),
    "strangers": ({"t": "IID,y\nx,1\n"}, "--pheno t",
                  't: none of its people is in the .fam file, which begins with "a"'),
    "which": ({"t": "IID,y,z\na,1,2\n"}, "--pheno t", "t: the phenotype may be any of 2 columns; name it: y, z"),
    "no column": ({"t": "IID,y,z\na,1,2\n"}, "--pheno t --pheno-name u", 't: there is no column "u" among y, z'),
    "same person": ({"d.fam": GENOTYPES["d.fam"].replace(" b ", " a "), "t": "IID,y\na,1\n"}, "--pheno t",
                    'd.fam: "a" is there twice, so that people of a table are not found'),
    "transposed": ({}, "--transpose", "d.bed: a .bed file has people in its rows by definition"),
    "target": ({}, "--target rs1", "d.bed: the columns of a .bed file have no names to choose a target by"),
}
PLINK_USAGE = {
    "pheno": ("fit d.csv --lambda 1 --pheno t", "--pheno is for PLINK .bed files, which d.csv is not"),
    "pheno name": ("fit d.bed --lambda 1 --pheno-name t", "--pheno-name needs --pheno too"),
    "covariates": ("fit d.bed --lambda 1 --unpenalized-covariates", "--unpenalized-covariates needs --covariates too"),
    "convert": ("convert d.bed d.csv", "PLINK files are not converted here; plink2 --export and --import do"),
    "missing": ("simulate e.csv --missing 0.1", "--missing needs --plink too"),
    "missing share": ("simulate --plink e --missing 1", "--missing is 1, but it must lie from 0 up to below 1"),
}
PLINK_MODELS = {
    "not there": ("d.bim", GENOTYPES["d.bim"].replace("rs1", "rs9"),
                  "d.bed: the model needs 1 column that is not there: rs1"),
    "alleles": ("d.bim", GENOTYPES["d.bim"].replace("A G", "T C"),
                "d.bed: the model needs 1 variant that is there with other alleles: rs1"),
    "no genotypes": ("m.json", None, "m.json: the model was not fitted to genotypes, which d.bed has"),
}


@pytest.mark.parametrize("case", PLINK)
def test_errors_of_plink_files(tmp_path, case):
    contents, arguments, expected = PLINK[case]
    write(tmp_path, {name: content for name, content in {**GENOTYPES, **contents}.items() if content is not None})
    assert fail(tmp_path, ["fit"], f"d.bed --lambda 1 -o model.json {arguments}") == (1, expected)


@pytest.mark.parametrize("case", PLINK_USAGE)
def test_options_of_plink_files(tmp_path, case):
    command, expected = PLINK_USAGE[case]
    write(tmp_path, {**GENOTYPES, "d.csv": CSV})
    name, *words = command.split()
    assert fail(tmp_path, [name], " ".join(words)) == (2, f"{expected} (see sven {name} --help)")


@pytest.mark.parametrize("case", PLINK_MODELS)
def test_models_of_other_variants(tmp_path, case):
    name, content, expected = PLINK_MODELS[case]
    write(tmp_path, {**GENOTYPES, "d.csv": CSV})
    data = "d.csv" if content is None else "d.bed"
    succeed("fit", data, "--lambda", 1e-3, "-o", "m.json", folder=tmp_path)
    if content is not None:
        write(tmp_path, {name: content})
    assert fail(tmp_path, ["predict"], "m.json d.bed") == (1, expected)
