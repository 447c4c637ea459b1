import { recordStatus } from '../../core/codes/outcomes.ts'
import type { TranscriptData, TranscriptRow } from './transcripts.schema.ts'
import { printName, printSource, printStatus, printValue, printWords, type PrintLang } from './words.ts'

/**
 * What a transcript prints, as words in their order (docs/rules.md R47): the PDF and the sheet on screen are both set
 * from this, so that they say the same. Pure.
 */

type Face = Omit<TranscriptData, 'rows'>

/** The student's block: name of the field and what it says; '' where nothing is known. The first is their name. */
export function studentPairs({ student, lang }: Pick<Face, 'student' | 'lang'>): [string, string][] {
  const words = printWords(lang)
  return [
    [words.name, student.suiName],
    [words.number, student.suiNumber],
    [words.sex, printValue(lang, 'sex', student.suiSex)],
    [words.college, student.suiCollegeName],
    [words.major, student.majorName],
    [words.class, student.scClassName],
    [words.grade, student.suiGrade && words.gradeOf(student.suiGrade)],
    [words.level, student.suiEduLevel ? printValue(lang, 'edu_level', student.suiEduLevel) : ''],
    [words.years, student.suiStudyYears ? words.yearsOf(student.suiStudyYears) : ''],
    [words.enter, student.suiEnterDate ?? ''],
    [words.leave, student.suiGraduateDate ?? ''],
    ...(student.suiPolitical
      ? ([[words.political, printValue(lang, 'political', student.suiPolitical)]] as [string, string][])
      : []),
  ]
}

/** A total: its name, what it is, and what stands below it. */
export type Figure = [name: string, value: string, note: string]

export function summaryFigures({
  summary,
  conversions,
  asOf,
  lang,
}: Pick<Face, 'summary' | 'conversions' | 'asOf' | 'lang'>): Figure[] {
  const words = printWords(lang)
  const rank = summary.rankClass
    ? words.rankClass(summary.rankClass)
    : summary.rankMajor
      ? words.rankMajor(summary.rankMajor)
      : ''
  return [
    [words.totalHours, summary.totalHours, words.required(summary.requiredHours)],
    [words.totalCredit, summary.totalCredit, words.points(summary.totalPoints)],
    [words.volunteer, summary.volunteerHours, words.hour],
    [words.pass, summary.pass ? words.passed : words.notPassed, words.asOf(asOf.slice(0, 10))],
    ...conversions
      .slice(0, 3)
      .map(({ trName, toType, value }): Figure => [trName, value, printValue(lang, 'convert_to', toType)]),
    ...(summary.grade !== null || rank ? [[words.overall, summary.grade ?? '—', rank] as Figure] : []),
  ]
}

/** A column of a printed table. */
export interface PrintColumn<R> {
  title: string
  align?: 'center'
  cell: (row: R) => string
}

type Module = Face['modules'][number]

/** The columns of the module table; the stars stand between the third of them and the last. */
export function moduleColumns(lang: PrintLang): {
  before: PrintColumn<Module>[]
  stars: string
  after: PrintColumn<Module>
} {
  const words = printWords(lang)
  return {
    before: [
      { title: words.module, cell: ({ lsName }) => printName(lang, lsName) },
      { title: words.need, align: 'center', cell: ({ required }) => required },
      { title: words.have, align: 'center', cell: ({ have }) => have },
      { title: words.count, align: 'center', cell: ({ count }) => String(count) },
    ],
    stars: words.stars,
    after: {
      title: words.reached,
      align: 'center',
      cell: ({ pass, must }) => (pass ? words.yes : must ? words.no : words.optional),
    },
  }
}

/** The eight columns of the records. A row that is questioned or was reversed says so below where it comes from. */
export function recordColumns(lang: PrintLang): PrintColumn<TranscriptRow>[] {
  const words = printWords(lang)
  return [
    { title: words.item, cell: ({ name }) => name },
    { title: words.itemLevel, align: 'center', cell: ({ levelName }) => printName(lang, levelName) },
    {
      title: words.role,
      align: 'center',
      cell: ({ partakeMode }) => (partakeMode ? printValue(lang, 'partake_mode', partakeMode) : ''),
    },
    { title: words.award, align: 'center', cell: ({ awardName }) => awardName },
    { title: words.org, cell: ({ org }) => org },
    { title: words.time, align: 'center', cell: ({ startTime }) => startTime.slice(0, 10) },
    { title: words.hoursCredit, align: 'center', cell: ({ hours, credit }) => `${hours} / ${credit}` },
    {
      title: words.source,
      align: 'center',
      cell: ({ source, status }) =>
        printSource(lang, source) + (status === recordStatus.valid ? '' : `\n${printStatus(lang, status)}`),
    },
  ]
}

/**
 * What stands below the records: the rules of the school, what was converted, the rules' versions, how to check the
 * paper, its digest.
 */
export function printNotes({
  notes,
  conversions,
  summary,
  asOf,
  serial,
  verifyUrl,
  digest,
  lang,
}: Pick<Face, 'notes' | 'conversions' | 'summary' | 'asOf' | 'serial' | 'verifyUrl' | 'digest' | 'lang'>): string[] {
  const words = printWords(lang)
  return [
    ...notes,
    ...conversions.map(({ trName, explain }) => words.converted(trName, explain)),
    words.rules(summary.ruleVersion, asOf),
    ...(words.asRecorded ? [words.asRecorded] : []),
    ...(serial ? [verifyUrl ? words.verifyAt(verifyUrl, serial) : words.verifyBy(serial)] : []),
    ...(digest ? [words.digest(digest)] : []),
  ]
}
