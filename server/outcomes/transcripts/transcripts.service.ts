import { createHash } from 'node:crypto'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { gradeOf } from '../../../contract/outcomes/transcripts/grades.ts'
import { ownStarsNote, starNote, starNoteEnglish, starsOf } from '../../../contract/outcomes/transcripts/stars.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import type { TranscriptData, TranscriptRow } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { reaches, requiredHours } from '../../programme/credits/goal.ts'
import {
  abilitiesOf,
  ruleVersionsOf,
  statementOf,
  type StatementFilter,
  type StatementRow,
} from '../../programme/credits/statement.service.ts'
import { modulesOf, nodeNames, type Module } from '../../rules/curriculum/modules.service.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'
import { modelLabelsOf } from '../../rules/labels/model.service.ts'
import { lessonFacts, type RecordFacts } from '../../programme/lessons/credit/facts.service.ts'
import { disputeFinder } from '../../programme/disputes/open-disputes.service.ts'
import { termFinder } from '../../school/school/calendar.service.ts'
import { schoolAppearanceOf } from '../../school/school/school.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { peersOf, type Peers } from '../statistics/peers.service.ts'
import { supplementFacts } from '../../programme/supplements/facts.service.ts'
import { conversionsOf } from '../../rules/transformation/transformation.service.ts'
import { transcriptPeople } from './transcripts.queries.ts'

/** A transcript row with the arithmetic behind it and the term it falls into. */
type ExplainedRow = TranscriptRow & { explain: string; termName: string; honesty: string }

/** Which part of a transcript is wanted, and in which language it is printed. */
export interface TranscriptPart extends StatementFilter {
  /** Only these records. */
  recIds?: string[] | undefined
  lang?: TranscriptData['lang'] | undefined
}

/** A name for the part: '' the whole transcript, otherwise the same for the same part. */
export function partKey({ startTime, endTime, lsId, recIds }: TranscriptPart): string {
  if (recIds) return `rows:${createHash('sha256').update(recIds.toSorted().join()).digest('hex').slice(0, 32)}`
  return startTime || endTime || lsId ? [startTime ?? '', endTime ?? '', lsId ?? ''].join('~') : ''
}
export type Transcript = Omit<TranscriptData, 'rows'> & { rows: ExplainedRow[] }

/** Labels a radar can show and still be read (docs/rules.md R27). */
const radarLabels = 12

/**
 * The transcripts of students, in the order of their numbers: everything from the ledger, eighteen statements and one
 * for each open conversion rule however many they are. Students whom the person may not see are not there.
 * @throws Failure `not-found` when none of them is visible
 */
export async function transcriptsOf(
  ctx: Context,
  suIds: string[],
  { recIds, lang = 'zh', ...filter }: TranscriptPart = {},
): Promise<Transcript[]> {
  // before the first look: everything that was so by then is in it
  const asOf = ctx.clock.now()
  const people = await transcriptPeople(ctx, suIds)
  if (people.length === 0) throw new Failure('not-found')
  const seen = people.map(({ suId }) => suId)
  const isWhole = partKey({ ...filter, recIds }) === ''
  const rulesOf = schoolSettings(ctx, ctx.actor.schoolId)
  const [
    school,
    rules,
    statement,
    abilities,
    modules,
    names,
    labels,
    model,
    lessons,
    supplements,
    conversions,
    termAt,
    versions,
    rated,
  ] = await Promise.all([
    schoolAppearanceOf(ctx, ctx.actor.schoolId),
    rulesOf,
    statementOf(ctx, seen, filter),
    recIds ? [] : abilitiesOf(ctx, seen, filter),
    modulesOf(ctx),
    nodeNames(ctx),
    scoredLabels(ctx),
    modelLabelsOf(ctx),
    lessonFacts(ctx, seen),
    supplementFacts(ctx, seen),
    isWhole ? conversionsOf(ctx, people, lang) : [],
    termFinder(ctx, ctx.actor.schoolId),
    ruleVersionsOf(ctx, seen),
    // a part is not compared with what others have altogether
    isWhole ? rulesOf.then(({ transcriptRank }) => peersOf(ctx, seen, transcriptRank)) : new Map<string, Peers>(),
  ])
  const facts = new Map([...lessons, ...supplements].map((one) => [`${one.suId}/${one.bizId}`, one]))
  const rowsOf = byStudent(recIds ? statement.filter(({ recId }) => recIds.includes(recId)) : statement)
  const scoresOf = byStudent(abilities)
  const convertedOf = byStudent(conversions)
  const versionsOf = new Map(versions.map((one) => [recordKey(one), one.versions]))
  const isQuestioned = await disputeFinder(
    ctx,
    statement.map(({ bizId }) => bizId),
  )
  return people.map((student) => {
    const own = rowsOf.get(student.suId) ?? []
    const peers = rated.get(student.suId)
    const summary = summaryOf(
      own,
      modules,
      rules,
      [...new Set(own.flatMap((row) => versionsOf.get(recordKey(row)) ?? []))]
        .toSorted((a, b) => a - b)
        .join(lang === 'en' ? ', ' : '、'),
    )
    return {
      schName: school.schName,
      schCode: school.schCode,
      serial: '',
      lang,
      digest: '',
      asOf,
      verifyUrl: null,
      student: {
        ...student,
        suiPolitical: rules.transcriptPolitical ? student.suiPolitical : null,
        suiPhoto: rules.transcriptPhoto ? student.suiPhoto : null,
      },
      summary: isWhole
        ? {
            ...summary,
            grade: gradeOf(convertedOf.get(student.suId) ?? [], lang),
            rankClass: peers?.rankClass ?? null,
            rankMajor: peers?.rankMajor ?? null,
          }
        : summary,
      modules: modules.map((module) => moduleLine(module, own, rules)),
      // what single records gave of abilities is not told apart: a selection has no radar
      ability: recIds
        ? []
        : model.length > 0
          ? modelAbilityOf(model, scoresOf.get(student.suId) ?? [], peers)
          : abilityOf(labels, scoresOf.get(student.suId) ?? [], peers),
      modelled: model.length > 0,
      conversions: (convertedOf.get(student.suId) ?? []).map(({ suId: _, ...conversion }) => conversion),
      rows: own.map((row) =>
        rowOf(
          row,
          names,
          facts.get(`${row.suId}/${row.bizId}`),
          termAt,
          rules.credibilityPerRecord,
          isQuestioned(row.suId, row.bizId),
        ),
      ),
      extract: recIds ? extractOf(lang, own.length) : periodOf(lang, filter, termAt, asOf),
      notes:
        lang === 'en'
          ? [
              'This transcript lists what the student took part in outside the curriculum, as checked by the school and university committees and made public before it was credited.',
              starNoteEnglish(rules.starSteps),
              ...ownStarsNote(modules, 'en'),
            ]
          : [
              '本成绩单依据学校第二课堂成绩单制度记载学生参与第二课堂活动的经历与学时，经学院团委和校团委审核、公示后入账。',
              starNote(rules.starSteps),
              ...ownStarsNote(modules),
            ],
    }
  })
}

const extractOf = (lang: TranscriptData['lang'], count: number): string =>
  lang === 'en' ? `${count} selected records` : `所选 ${count} 项记录`

/** What a period is called: the term where it is one, else its days; null for no period. */
function periodOf(
  lang: TranscriptData['lang'],
  { startTime, endTime }: StatementFilter,
  termAt: (day: string) => { tmName: string; tmStart: string; tmEnd: string },
  asOf: string,
): string | null {
  if (!startTime && !endTime) return null
  const term = startTime && endTime ? termAt(startTime) : undefined
  if (lang === 'zh' && term && term.tmStart === dayOf(startTime!) && term.tmEnd === dayOf(endTime!)) return term.tmName
  const [from, to] = [startTime && dayOf(startTime), endTime ? dayOf(endTime) : dayOf(asOf)]
  return lang === 'en' ? `${from ?? 'enrolment'} to ${to}` : `${from ?? '入学'} 至 ${to}`
}

const recordKey = ({ suId, bizId, moduleId }: Pick<StatementRow, 'suId' | 'bizId' | 'moduleId'>): string =>
  `${suId}/${bizId}/${moduleId}`

function byStudent<T extends { suId: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(row.suId)
    if (group) group.push(row)
    else groups.set(row.suId, [row])
  }
  return groups
}

type Label = Awaited<ReturnType<typeof scoredLabels>>[number]

/** What the radar shows: each label, or, where they are too many for one figure, their groups. */
function abilityOf(
  labels: readonly Label[],
  scores: readonly { sqlId: string; score: number }[],
  peers: Peers | undefined,
): TranscriptData['ability'] {
  const byGroup = labels.length > radarLabels
  const spokes = new Map<string, { name: string; score: number; mean: number; max: number }>()
  for (const { sqlId, sqlName, fullScore, groupId, groupName } of labels) {
    const key = byGroup ? groupId : sqlId
    const before = spokes.get(key) ?? { name: byGroup ? groupName : sqlName, score: 0, mean: 0, max: 0 }
    const score = scores.find((one) => one.sqlId === sqlId)?.score ?? 0
    spokes.set(key, {
      ...before,
      score: before.score + score,
      mean: before.mean + (peers?.college?.get(sqlId) ?? 0),
      max: before.max + fullScore,
    })
  }
  return [...spokes].map(([sqlId, { name, score, mean, max }]) => ({
    sqlId,
    name,
    score: fromHundredths(score),
    avgCollege: peers?.college ? fromHundredths(mean) : null,
    max: fromHundredths(max),
    color: '',
  }))
}

/** The radar as the school's quality model wants it: its labels under its names, in its order. */
const modelAbilityOf = (
  model: Awaited<ReturnType<typeof modelLabelsOf>>,
  scores: readonly { sqlId: string; score: number }[],
  peers: Peers | undefined,
): TranscriptData['ability'] =>
  model.map(({ sqlId, name, max, color }) => ({
    sqlId,
    name,
    score: fromHundredths(scores.find((one) => one.sqlId === sqlId)?.score ?? 0),
    avgCollege: peers?.college ? fromHundredths(peers.college.get(sqlId) ?? 0) : null,
    max: fromHundredths(max),
    color,
  }))

const total = (rows: StatementRow[], of: 'hours' | 'credit' | 'points' | 'volunteer'): number =>
  rows.reduce((sum, row) => sum + row[of], 0)

function summaryOf(
  rows: StatementRow[],
  modules: Module[],
  { totalHours }: Pick<SchoolSettings, 'totalHours'>,
  ruleVersion: string,
): TranscriptData['summary'] {
  const goal = { modules, totalHours }
  return {
    totalHours: fromHundredths(total(rows, 'hours')),
    totalCredit: fromHundredths(total(rows, 'credit')),
    totalPoints: fromHundredths(total(rows, 'points')),
    volunteerHours: fromHundredths(total(rows, 'volunteer')),
    requiredHours: fromHundredths(requiredHours(goal)),
    pass: reaches(
      goal,
      (lsId) =>
        total(
          rows.filter(({ moduleId }) => moduleId === lsId),
          'hours',
        ),
      total(rows, 'hours'),
    ),
    grade: null,
    rankClass: null,
    rankMajor: null,
    ruleVersion,
  }
}

function moduleLine(
  { lsId, lsName, required, minHours, starRule }: Module,
  rows: StatementRow[],
  { starSteps }: Pick<SchoolSettings, 'starSteps'>,
): TranscriptData['modules'][number] {
  const own = rows.filter(({ moduleId }) => moduleId === lsId)
  const have = total(own, 'hours')
  return {
    lsId,
    lsName,
    must: required,
    required: fromHundredths(minHours),
    have: fromHundredths(have),
    gap: fromHundredths(Math.max(0, minHours - have)),
    stars: starsOf(have, minHours, starSteps, starRule),
    pass: have >= minHours,
    count: own.filter(({ reversed }) => !reversed).length,
  }
}

function rowOf(
  row: StatementRow,
  names: Map<string, string>,
  facts: RecordFacts | undefined,
  termAt: (day: string) => { tmName: string },
  honesty: number,
  questioned: boolean,
): ExplainedRow {
  return {
    recId: row.recId,
    source: row.source as TranscriptRow['source'],
    liId: row.source === 'LESSON' ? row.bizId : null,
    lisId: row.source === 'SUP' ? row.bizId : null,
    name: row.bizName,
    moduleId: row.moduleId,
    moduleName: names.get(row.moduleId) ?? '',
    lsName: names.get(row.lsId) ?? '',
    levelName: facts?.levelName ?? '',
    partakeMode: (facts?.partakeMode ?? null) as TranscriptRow['partakeMode'],
    awardName: facts?.awardName ?? '',
    org: facts?.org ?? '',
    startTime: facts?.startTime ?? row.occurTime,
    endTime: facts?.endTime ?? null,
    hours: fromHundredths(row.hours),
    credit: fromHundredths(row.credit),
    points: fromHundredths(row.points),
    grantTime: row.grantedAt,
    status: row.reversed ? '3' : questioned ? '2' : '1',
    explain: row.explain,
    termName: termAt(facts?.startTime ?? row.occurTime).tmName,
    honesty: fromHundredths(row.reversed ? 0 : honesty),
  }
}
