import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { recordStatus } from '../../core/codes/outcomes.ts'
import { valuesOf } from '../../core/dictionary.ts'

/**
 * A student's second-classroom transcript: what the transcript screens show and what the PDF prints. Amounts are
 * decimal text (hours, credit, points); dictionary values are sent as values, names of records as names.
 */

/** Hours, credit or points as decimal text, `'2.5'`. */
const decimal = z.string()

const transcriptStudent = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  suiSex: z.string(),
  suiCollegeName: z.string(),
  majorName: z.string(),
  scClassName: z.string(),
  suiGrade: z.string(),
  suiEduLevel: z.string().nullable(),
  suiStudyYears: z.number().nullable(),
  suiEnterDate: z.string().nullable(),
  suiGraduateDate: z.string().nullable(),
  /** Printed only where the school wishes it: null leaves the field out. */
  suiPolitical: z.string().nullable(),
  /** The file of the photo, printed only where the school wishes it and there is one. */
  suiPhoto: z.string().nullable(),
})

const transcriptSummary = z.object({
  totalHours: decimal,
  totalCredit: decimal,
  totalPoints: decimal,
  volunteerHours: decimal,
  requiredHours: decimal,
  pass: z.boolean(),
  /** 优, 良, 合格, …; null where the school gives none. */
  grade: z.string().nullable(),
  /** `3/42`; null unless the school shows ranks. */
  rankClass: z.string().nullable(),
  rankMajor: z.string().nullable(),
  /**
   * The versions of the rules by which the records shown were calculated, `1、3` (in English `1, 3`); each module and
   * level has a rule of its own. '' where no rule took part.
   */
  ruleVersion: z.string(),
})

const transcriptModule = z.object({
  lsId: z.string(),
  lsName: z.string(),
  /** Whether graduation asks for it; what it asks is `required`. */
  must: z.boolean(),
  required: decimal,
  have: decimal,
  gap: decimal,
  /** 0 to 5. */
  stars: z.number(),
  pass: z.boolean(),
  count: z.number(),
})

const transcriptAbility = z.object({
  sqlId: z.string(),
  name: z.string(),
  score: decimal,
  avgCollege: decimal.nullable(),
  max: decimal,
  /** `#rrggbb`; '' where the school gave none. */
  color: z.string(),
})

/** What a conversion rule of the school makes of the student's totals; `toType` as `dictionary.convert_to`. */
const transcriptConversion = z.object({
  trId: z.string(),
  trName: z.string(),
  toType: z.string(),
  value: decimal,
  explain: z.string(),
})

/** Where an entry comes from; the names are those printed. */
export const transcriptSources = {
  LESSON: '课程',
  SUP: '补录',
  CONVERT: '转换',
  ADJUST: '调整',
  REVERSE: '冲正',
} as const

export const transcriptRow = z.object({
  recId: z.string(),
  source: z.enum(Object.keys(transcriptSources) as [keyof typeof transcriptSources]),
  liId: z.string().nullable(),
  lisId: z.string().nullable(),
  name: z.string(),
  /** The top of the curriculum branch: the module that the entry counts for. */
  moduleId: z.string(),
  moduleName: z.string(),
  /** The node itself. */
  lsName: z.string(),
  levelName: z.string(),
  partakeMode: z.enum(valuesOf('partake_mode')).nullable(),
  awardName: z.string(),
  org: z.string(),
  startTime: z.string(),
  endTime: z.string().nullable(),
  hours: decimal,
  credit: decimal,
  points: decimal,
  grantTime: z.string(),
  /** How the entry stands; valid ones need no words on paper. */
  status: z.enum(codesOf(recordStatus)),
})

export const transcript = z.object({
  schName: z.string(),
  schCode: z.string(),
  /** School code-student number-yyyyMMdd-check characters; '' before it has been issued. */
  serial: z.string(),
  lang: z.enum(['zh', 'en']),
  /** SHA-256 of the signed content, hexadecimal; '' before it has been issued. */
  digest: z.string(),
  /** The moment the figures were true, `yyyy-MM-dd HH:mm:ss`. */
  asOf: z.string(),
  /** Where a reader can check the paper; null prints no QR code. */
  verifyUrl: z.string().nullable(),
  student: transcriptStudent,
  summary: transcriptSummary,
  modules: z.array(transcriptModule),
  ability: z.array(transcriptAbility),
  /** None on an extract: rules convert whole totals. */
  conversions: z.array(transcriptConversion),
  /** The abilities are those of the school's quality model: the rim of the radar stands for each one's `max`. */
  modelled: z.boolean(),
  rows: z.array(transcriptRow),
  /** Names the part shown where it is not the whole, such as a term; null for the whole transcript. */
  extract: z.string().nullable(),
  /** Rules of the school, printed below the table in this order. */
  notes: z.array(z.string()),
})

/** Terms in which something was done, the latest first. */
const transcriptTerm = z.object({ tmName: z.string(), tmStart: z.string(), tmEnd: z.string() })

/** What a school year was worth; `verdict` as `dictionary.year_verdict`, `gap`: hours short of passing. */
export const schoolYear = z.object({
  yearName: z.string(),
  hours: decimal,
  gap: decimal,
  verdict: z.enum(valuesOf('year_verdict')),
})
export type SchoolYear = z.infer<typeof schoolYear>

/**
 * How a part of a transcript in a language stands to what was issued of it: nothing was, what is shown was, or what is
 * shown has changed since.
 */
const issueState = ['none', 'current', 'changed'] as const

/**
 * Everything but the rows, which the screen reads page by page. What was issued is answered as it was issued, with its
 * serial, digest, address, time and the value of its signature; otherwise these are empty. `terms` are those of the
 * whole transcript, `years` only of a whole one.
 */
export const transcriptHeader = transcript.omit({ rows: true }).extend({
  /** `stars`: those of the total of hours, as those of a module; `asOf`: when the figures were true. */
  summary: transcriptSummary.extend({ stars: z.number(), asOf: z.string() }),
  /** The file of the badge that stands on the paper; null for none. */
  badge: z.string().nullable(),
  issueStand: z.enum(issueState),
  signature: z.string().nullable(),
  issueTime: z.string().nullable(),
  terms: z.array(transcriptTerm),
  years: z.array(schoolYear),
})

export type TranscriptData = z.infer<typeof transcript>
export type TranscriptRow = z.infer<typeof transcriptRow>
