"""PLINK 1 files as X: genotypes stay in the two bits of the file, which is mapped and never expanded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._features import Features
from ._inputs import FloatArray


@dataclass(frozen=True)
class Genotypes(Features):
    """Genotypes of people (rows) at variants (columns), as X for the estimators, paths, `cross_validate` and `Session`.

    An entry is the number of counted alleles; a missing one takes the mean of its variant. ``X @ coefs`` and
    ``predict`` take it too; there is no array.

    Attributes
    ----------
    matrix : the library's view of the file, which keeps it mapped
    shape : the numbers of people and of features
    dtype : float64, the type of products
    feature_names : of the variants, then of the covariates
    row_names : of the people
    alleles : of each variant the two alleles, counted and other
    """

    feature_names: list[str]
    row_names: list[str]
    alleles: list[tuple[str, str]]

    def __repr__(self) -> str:
        return f"Genotypes({self.shape[0]} people, {self.shape[1]} features)"


@dataclass(frozen=True)
class Plink:
    """What `read_plink` found: X and y as the estimators take them, and the names of both sides.

    Attributes
    ----------
    X : the genotypes, then the covariates
    y : the phenotypes; None where none were asked for
    n_covariates : how many columns of X come after the variants
    remarks : sentences about people that one file has and another has not
    """

    X: Genotypes
    y: FloatArray | None
    n_covariates: int
    remarks: list[str]

    @property
    def feature_names(self) -> list[str]:
        return self.X.feature_names

    @property
    def row_names(self) -> list[str]:
        return self.X.row_names


def read_plink(
    path: str | os.PathLike[str],
    *,
    pheno: str | os.PathLike[str] | None = None,
    pheno_name: str | None = None,
    covariates: str | os.PathLike[str] | None = None,
    count_allele: str = "a1",
    target: bool = True,
) -> Plink:
    """Reads study.bed with the study.bim and study.fam beside it.

    Parameters
    ----------
    path : the .bed file
    pheno : a table with a column IID and the phenotypes; by default they are column 6 of the .fam file
    pheno_name : the column of `pheno`, where it has several
    covariates : a table with a column IID, whose other columns become features after the variants
    count_allele : "a1" or "a2", of the .bim file: what the entries count
    target : whether there are phenotypes; people without one are left out

    >>> data = svenet.read_plink("study.bed")                      # doctest: +SKIP
    >>> svenet.LassoCV(cv=10).fit(data.X, data.y).coef_            # doctest: +SKIP
    """
    if count_allele not in ("a1", "a2"):
        raise ValueError(f'count_allele must be "a1" or "a2", it is {count_allele!r}')
    found: dict[str, Any] = _core.read_plink(
        os.fspath(path),
        None if pheno is None else os.fspath(pheno),
        pheno_name,
        None if covariates is None else os.fspath(covariates),
        count_allele == "a2",
        bool(target),
    )
    X = Genotypes(
        found["matrix"],
        found["shape"],
        np.dtype(np.float64),
        found["feature_names"],
        found["row_names"],
        found["alleles"],
    )
    return Plink(X, found["y"], found["covariates"], found["remarks"])
