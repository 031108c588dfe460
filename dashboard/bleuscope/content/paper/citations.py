"""Where the methods that are used here were published: how a text cites it, and its BibTeX entry."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

ACL = "Association for Computational Linguistics"


@dataclass(frozen=True)
class Citation:
    """A publication.

    Attributes:
        key: Of its BibTeX entry.
        authors: How a text names them: "Papineni et al.".
        year: When it appeared.
        kind: Of the BibTeX entry.
        fields: Of the BibTeX entry, names and LaTeX, beside the year.
    """

    key: str
    authors: str
    year: int
    kind: str
    fields: tuple[tuple[str, str], ...]

    @property
    def bibtex(self) -> str:
        """The BibTeX entry."""
        lines = [f"  {name} = {{{value}}}," for name, value in (*self.fields, ("year", str(self.year)))]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def cited(*citations: Citation) -> str:
    """Citations as they stand inside brackets: "Noreen, 1989; Riezler and Maxwell, 2005"."""
    return "; ".join(f"{one.authors}, {one.year}" for one in citations)


def bibliography(citations: Iterable[Citation]) -> str:
    """The BibTeX entries, each once, by key."""
    return "\n\n".join(one.bibtex for one in sorted(set(citations), key=lambda one: one.key))


def _entry(key: str, authors: str, year: int, kind: str, **fields: str) -> Citation:
    return Citation(key, authors, year, kind, tuple(fields.items()))


PAPINENI = _entry(
    "papineni-etal-2002-bleu",
    "Papineni et al.",
    2002,
    "inproceedings",
    title="{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author="Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle="Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    address="Philadelphia, Pennsylvania, USA",
    publisher=ACL,
    pages="311--318",
    doi="10.3115/1073083.1073135",
)
POST = _entry(
    "post-2018-call",
    "Post",
    2018,
    "inproceedings",
    title="A Call for Clarity in Reporting {BLEU} Scores",
    author="Post, Matt",
    booktitle="Proceedings of the Third Conference on Machine Translation: Research Papers",
    address="Brussels, Belgium",
    publisher=ACL,
    pages="186--191",
    doi="10.18653/v1/W18-6319",
)
POPOVIC_2015 = _entry(
    "popovic-2015-chrf",
    "Popović",
    2015,
    "inproceedings",
    title="{chrF}: character n-gram {F}-score for automatic {MT} evaluation",
    author="Popovi{\\'c}, Maja",
    booktitle="Proceedings of the Tenth Workshop on Statistical Machine Translation",
    address="Lisbon, Portugal",
    publisher=ACL,
    pages="392--395",
    doi="10.18653/v1/W15-3049",
)
POPOVIC_2017 = _entry(
    "popovic-2017-chrf",
    "Popović",
    2017,
    "inproceedings",
    title="{chrF}++: words helping character n-grams",
    author="Popovi{\\'c}, Maja",
    booktitle="Proceedings of the Second Conference on Machine Translation",
    address="Copenhagen, Denmark",
    publisher=ACL,
    pages="612--618",
    doi="10.18653/v1/W17-4770",
)
SNOVER = _entry(
    "snover-etal-2006-study",
    "Snover et al.",
    2006,
    "inproceedings",
    title="A Study of Translation Edit Rate with Targeted Human Annotation",
    author="Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
    booktitle="Proceedings of the 7th Conference of the Association for Machine Translation in the Americas: "
    "Technical Papers",
    address="Cambridge, Massachusetts, USA",
    publisher="Association for Machine Translation in the Americas",
    pages="223--231",
)
CHEN_CHERRY = _entry(
    "chen-cherry-2014-systematic",
    "Chen and Cherry",
    2014,
    "inproceedings",
    title="A Systematic Comparison of Smoothing Techniques for Sentence-Level {BLEU}",
    author="Chen, Boxing and Cherry, Colin",
    booktitle="Proceedings of the Ninth Workshop on Statistical Machine Translation",
    address="Baltimore, Maryland, USA",
    publisher=ACL,
    pages="362--367",
    doi="10.3115/v1/W14-3346",
)
MADNANI = _entry(
    "madnani-2011-ibleu",
    "Madnani",
    2011,
    "inproceedings",
    title="{iBLEU}: Interactively Debugging and Scoring Statistical Machine Translation Systems",
    author="Madnani, Nitin",
    booktitle="Proceedings of the Fifth {IEEE} International Conference on Semantic Computing",
    pages="213--214",
)
BIRD = _entry(
    "bird-etal-2009-natural",
    "Bird et al.",
    2009,
    "book",
    title="Natural Language Processing with {P}ython",
    author="Bird, Steven and Klein, Ewan and Loper, Edward",
    publisher="O'Reilly",
)
KOEHN_2007 = _entry(
    "koehn-etal-2007-moses",
    "Koehn et al.",
    2007,
    "inproceedings",
    title="{M}oses: Open Source Toolkit for Statistical Machine Translation",
    author="Koehn, Philipp and Hoang, Hieu and Birch, Alexandra and Callison-Burch, Chris and Federico, Marcello and "
    "Bertoldi, Nicola and Cowan, Brooke and Shen, Wade and Moran, Christine and Zens, Richard and Dyer, Chris and "
    "Bojar, Ond{\\v{r}}ej and Constantin, Alexandra and Herbst, Evan",
    booktitle="Proceedings of the 45th Annual Meeting of the Association for Computational Linguistics Companion "
    "Volume: Proceedings of the Demo and Poster Sessions",
    address="Prague, Czech Republic",
    publisher=ACL,
    pages="177--180",
)
KOEHN_2004 = _entry(
    "koehn-2004-statistical",
    "Koehn",
    2004,
    "inproceedings",
    title="Statistical Significance Tests for Machine Translation Evaluation",
    author="Koehn, Philipp",
    booktitle="Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
    address="Barcelona, Spain",
    publisher=ACL,
    pages="388--395",
)
KOCMI = _entry(
    "kocmi-etal-2024-navigating",
    "Kocmi et al.",
    2024,
    "inproceedings",
    title="Navigating the Metrics Maze: Reconciling Score Magnitudes and Accuracies",
    author="Kocmi, Tom and Zouhar, Vil{\\'e}m and Federmann, Christian and Post, Matt",
    booktitle="Proceedings of the 62nd Annual Meeting of the Association for Computational Linguistics (Volume 1: Long "
    "Papers)",
    address="Bangkok, Thailand",
    publisher=ACL,
    pages="1999--2014",
    doi="10.18653/v1/2024.acl-long.110",
)
KOCMI_2021 = _entry(
    "kocmi-etal-2021-ship",
    "Kocmi et al.",
    2021,
    "inproceedings",
    title="To Ship or Not to Ship: An Extensive Evaluation of Automatic Metrics for Machine Translation",
    author="Kocmi, Tom and Federmann, Christian and Grundkiewicz, Roman and Junczys-Dowmunt, Marcin and Matsushita, "
    "Hitokazu and Menezes, Arul",
    booktitle="Proceedings of the Sixth Conference on Machine Translation",
    address="Online",
    publisher=ACL,
    pages="478--494",
)
THOMPSON = _entry(
    "thompson-etal-2024-improving",
    "Thompson et al.",
    2024,
    "inproceedings",
    title="Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy",
    author="Thompson, Brian and Mathur, Nitika and Deutsch, Daniel and Khayrallah, Huda",
    booktitle="Proceedings of the Ninth Conference on Machine Translation",
    address="Miami, Florida, USA",
    publisher=ACL,
    pages="1222--1234",
)
DEUTSCH_2021 = _entry(
    "deutsch-etal-2021-statistical",
    "Deutsch et al.",
    2021,
    "article",
    title="A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods",
    author="Deutsch, Daniel and Dror, Rotem and Roth, Dan",
    journal="Transactions of the Association for Computational Linguistics",
    volume="9",
    pages="1132--1146",
    doi="10.1162/tacl_a_00417",
)
DEUTSCH_2023 = _entry(
    "deutsch-etal-2023-ties",
    "Deutsch et al.",
    2023,
    "inproceedings",
    title="Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration",
    author="Deutsch, Daniel and Foster, George and Freitag, Markus",
    booktitle="Proceedings of the 2023 Conference on Empirical Methods in Natural Language Processing",
    address="Singapore",
    publisher=ACL,
    pages="12914--12929",
    doi="10.18653/v1/2023.emnlp-main.798",
)
MATHUR = _entry(
    "mathur-etal-2020-tangled",
    "Mathur et al.",
    2020,
    "inproceedings",
    title="Tangled up in {BLEU}: Reevaluating the Evaluation of Automatic Machine Translation Evaluation Metrics",
    author="Mathur, Nitika and Baldwin, Timothy and Cohn, Trevor",
    booktitle="Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics",
    address="Online",
    publisher=ACL,
    pages="4984--4997",
    doi="10.18653/v1/2020.acl-main.448",
)
FREITAG = _entry(
    "freitag-etal-2021-experts",
    "Freitag et al.",
    2021,
    "article",
    title="Experts, Errors, and Context: A Large-Scale Study of Human Evaluation for Machine Translation",
    author="Freitag, Markus and Foster, George and Grangier, David and Ratnakar, Viresh and Tan, Qijun and Macherey, "
    "Wolfgang",
    journal="Transactions of the Association for Computational Linguistics",
    volume="9",
    pages="1460--1474",
    doi="10.1162/tacl_a_00437",
)
NOREEN = _entry(
    "noreen-1989-computer",
    "Noreen",
    1989,
    "book",
    title="Computer-Intensive Methods for Testing Hypotheses: An Introduction",
    author="Noreen, Eric W.",
    address="New York",
    publisher="Wiley",
)
RIEZLER_MAXWELL = _entry(
    "riezler-maxwell-2005-pitfalls",
    "Riezler and Maxwell",
    2005,
    "inproceedings",
    title="On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
    author="Riezler, Stefan and Maxwell, John T.",
    booktitle="Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine "
    "Translation and/or Summarization",
    address="Ann Arbor, Michigan, USA",
    publisher=ACL,
    pages="57--64",
)
WILCOXON = _entry(
    "wilcoxon-1945-individual",
    "Wilcoxon",
    1945,
    "article",
    title="Individual Comparisons by Ranking Methods",
    author="Wilcoxon, Frank",
    journal="Biometrics Bulletin",
    volume="1",
    number="6",
    pages="80--83",
    doi="10.2307/3001968",
)
WESTFALL_YOUNG = _entry(
    "westfall-young-1993-resampling",
    "Westfall and Young",
    1993,
    "book",
    title="Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment",
    author="Westfall, Peter H. and Young, S. Stanley",
    address="New York",
    publisher="Wiley",
)
HOLM = _entry(
    "holm-1979-simple",
    "Holm",
    1979,
    "article",
    title="A Simple Sequentially Rejective Multiple Test Procedure",
    author="Holm, Sture",
    journal="Scandinavian Journal of Statistics",
    volume="6",
    number="2",
    pages="65--70",
)
BENJAMINI_HOCHBERG = _entry(
    "benjamini-hochberg-1995-controlling",
    "Benjamini and Hochberg",
    1995,
    "article",
    title="Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
    author="Benjamini, Yoav and Hochberg, Yosef",
    journal="Journal of the Royal Statistical Society: Series B",
    volume="57",
    number="1",
    pages="289--300",
    doi="10.1111/j.2517-6161.1995.tb02031.x",
)
EFRON_TIBSHIRANI = _entry(
    "efron-tibshirani-1993-introduction",
    "Efron and Tibshirani",
    1993,
    "book",
    title="An Introduction to the Bootstrap",
    author="Efron, Bradley and Tibshirani, Robert J.",
    address="New York",
    publisher="Chapman and Hall",
)

HESTERBERG = _entry(
    "hesterberg-2015-teachers",
    "Hesterberg",
    2015,
    "article",
    title="What Teachers Should Know About the Bootstrap: Resampling in the Undergraduate Statistics Curriculum",
    author="Hesterberg, Tim C.",
    journal="The American Statistician",
    volume="69",
    number="4",
    pages="371--386",
    doi="10.1080/00031305.2015.1089789",
)

BELL_MCCAFFREY = _entry(
    "bell-mccaffrey-2002-bias",
    "Bell and McCaffrey",
    2002,
    "article",
    title="Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples",
    author="Bell, Robert M. and McCaffrey, Daniel F.",
    journal="Survey Methodology",
    volume="28",
    number="2",
    pages="169--181",
)
CARTER = _entry(
    "carter-etal-2017-asymptotic",
    "Carter et al.",
    2017,
    "article",
    title="Asymptotic Behavior of a $t$-Test Robust to Cluster Heterogeneity",
    author="Carter, Andrew V. and Schnepel, Kevin T. and Steigerwald, Douglas G.",
    journal="The Review of Economics and Statistics",
    volume="99",
    number="4",
    pages="698--709",
    doi="10.1162/REST_a_00639",
)
KUENSCH = _entry(
    "kuensch-1989-jackknife",
    "Künsch",
    1989,
    "article",
    title="The Jackknife and the Bootstrap for General Stationary Observations",
    author='K{\\"u}nsch, Hans R.',
    journal="The Annals of Statistics",
    volume="17",
    number="3",
    pages="1217--1241",
    doi="10.1214/aos/1176347265",
)
HSU_1981 = _entry(
    "hsu-1981-simultaneous",
    "Hsu",
    1981,
    "article",
    title="Simultaneous Confidence Intervals for all Distances from the ``Best''",
    author="Hsu, Jason C.",
    journal="The Annals of Statistics",
    volume="9",
    number="5",
    pages="1026--1034",
    doi="10.1214/aos/1176345582",
)
HSU_1996 = _entry(
    "hsu-1996-multiple",
    "Hsu",
    1996,
    "book",
    title="Multiple Comparisons: Theory and Methods",
    author="Hsu, Jason C.",
    publisher="Chapman and Hall",
    address="London",
)
HAYTER_HSU = _entry(
    "hayter-hsu-1994-relationship",
    "Hayter and Hsu",
    1994,
    "article",
    title="On the Relationship Between Stepwise Decision Procedures and Confidence Sets",
    author="Hayter, Anthony J. and Hsu, Jason C.",
    journal="Journal of the American Statistical Association",
    volume="89",
    number="425",
    pages="128--136",
    doi="10.1080/01621459.1994.10476453",
)

WILLIAMS = _entry(
    "williams-1959-regression",
    "Williams",
    1959,
    "book",
    title="Regression Analysis",
    author="Williams, Evan James",
    address="New York",
    publisher="Wiley",
)

DROR = _entry(
    "dror-etal-2017-replicability",
    "Dror et al.",
    2017,
    "article",
    title="Replicability Analysis for Natural Language Processing: Testing Significance with Multiple Datasets",
    author="Dror, Rotem and Baumer, Gili and Bogomolov, Marina and Reichart, Roi",
    journal="Transactions of the Association for Computational Linguistics",
    volume="5",
    pages="471--486",
    doi="10.1162/tacl_a_00074",
)
BENJAMINI_HELLER = _entry(
    "benjamini-heller-2008-screening",
    "Benjamini and Heller",
    2008,
    "article",
    title="Screening for Partial Conjunction Hypotheses",
    author="Benjamini, Yoav and Heller, Ruth",
    journal="Biometrics",
    volume="64",
    number="4",
    pages="1215--1222",
    doi="10.1111/j.1541-0420.2007.00984.x",
)
EDGINGTON_ONGHENA = _entry(
    "edgington-onghena-2007-randomization",
    "Edgington and Onghena",
    2007,
    "book",
    title="Randomization Tests",
    author="Edgington, Eugene S. and Onghena, Patrick",
    address="Boca Raton",
    publisher="Chapman and Hall/CRC",
    edition="4th",
)
FRIEDMAN = _entry(
    "friedman-1937-use",
    "Friedman",
    1937,
    "article",
    title="The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of Variance",
    author="Friedman, Milton",
    journal="Journal of the American Statistical Association",
    volume="32",
    number="200",
    pages="675--701",
    doi="10.1080/01621459.1937.10503522",
)
DEMSAR = _entry(
    "demsar-2006-statistical",
    "Demšar",
    2006,
    "article",
    title="Statistical Comparisons of Classifiers over Multiple Data Sets",
    author="Dem{\\v{s}}ar, Janez",
    journal="Journal of Machine Learning Research",
    volume="7",
    pages="1--30",
)
CAMERON = _entry(
    "cameron-etal-2011-robust",
    "Cameron et al.",
    2011,
    "article",
    title="Robust Inference with Multiway Clustering",
    author="Cameron, A. Colin and Gelbach, Jonah B. and Miller, Douglas L.",
    journal="Journal of Business \\& Economic Statistics",
    volume="29",
    number="2",
    pages="238--249",
    doi="10.1198/jbes.2010.07136",
)
SATTERTHWAITE = _entry(
    "satterthwaite-1946-approximate",
    "Satterthwaite",
    1946,
    "article",
    title="An Approximate Distribution of Estimates of Variance Components",
    author="Satterthwaite, F. E.",
    journal="Biometrics Bulletin",
    volume="2",
    number="6",
    pages="110--114",
    doi="10.2307/3002019",
)
OF_METRICS = MappingProxyType({one.key: one for one in (PAPINENI, POPOVIC_2015, POPOVIC_2017, SNOVER)})
"""Where metrics come from, by the key that ``Metric.paper`` gives."""
