import { expect } from 'vitest'
import { creditType, supplementStatus } from '../../contract/core/codes/programme.ts'
import { issueStatus, recordStatus } from '../../contract/core/codes/outcomes.ts'
import { toHundredths } from '../../contract/core/fields.ts'
import { lessonStatApi } from '../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { studentStatApi } from '../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { issueApi } from '../../contract/outcomes/transcripts/issues.calls.ts'
import { scoreExportApi } from '../../contract/outcomes/transcripts/score-export.calls.ts'
import { transcriptApi } from '../../contract/outcomes/transcripts/transcripts.calls.ts'
import { supplementApi } from '../../contract/programme/supplements/supplements.calls.ts'
import { studentApi } from '../../contract/school/people/students.calls.ts'
import { sheetIn } from './sheet-in.ts'
import { standsFor, totalOf, worthOf, type Worth } from './credit-model.ts'
import type { CreditState } from './credit-actions.ts'
import type { CreditWorld } from './credits.ts'
import type { Credential as SignedFile } from './credentials.ts'

/**
 * Everything that says what students have, each account compared with the facts and with the entries of the ledger,
 * record by record.
 */

const page = { current: 1, pageSize: 200 }
const sum = (all: readonly number[]) => all.reduce((before, one) => before + one, 0)
const amounts = (row: { hours: string; credit: string; points: string }): Worth => [
  toHundredths(row.hours)!,
  toHundredths(row.credit)!,
  toHundredths(row.points)!,
]

/** What a student has of a record, by its entries. */
interface Held {
  id: string
  kind: 'course' | 'supplement'
  worth: Worth
  stands: boolean
}

/** The entries of the students, added up by record, as far as the facts say that there are any. */
async function ledgerOf(world: CreditWorld, state: CreditState): Promise<Held[][]> {
  return Promise.all(
    state.students.map(async ({ suId }, at) => {
      const entries = await world.entries(suId)
      const of = (id: string, type: string) =>
        sum(entries.filter(({ bizId, clType }) => bizId === id && clType === type).map(({ clValue }) => clValue))
      const held = state.records.flatMap((record): Held[] => {
        const stands = standsFor(record, at)
        return stands === undefined
          ? []
          : [
              {
                id: record.id,
                kind: record.kind,
                worth: [
                  of(record.id, creditType.hours),
                  of(record.id, creditType.credit),
                  of(record.id, creditType.points),
                ],
                stands,
              },
            ]
      })
      // nothing is granted that the facts do not know
      expect(new Set(entries.map(({ bizId }) => bizId))).toEqual(new Set(held.map(({ id }) => id)))
      return held
    }),
  )
}
const totalHeld = (held: readonly Held[]): Worth => [
  sum(held.map(({ worth }) => worth[0])),
  sum(held.map(({ worth }) => worth[1])),
  sum(held.map(({ worth }) => worth[2])),
]

/**
 * The ledger says what the facts give: in all as much as caps and groups let be, of each record no more than it is
 * worth.
 */
export async function checkLedger(world: CreditWorld, state: CreditState): Promise<Held[][]> {
  const ledger = await ledgerOf(world, state)
  for (const [at, held] of ledger.entries()) {
    expect(totalHeld(held)).toEqual(totalOf(state.records, at, state.caps[at]!))
    for (const { id, worth, stands } of held) {
      const most = worthOf(
        state.records.find((record) => record.id === id)!,
        at,
      ) ?? [0, 0, 0]
      expect(stands || worth.every((value) => value === 0)).toBe(true)
      expect(worth.every((value, kind) => value >= 0 && value <= most[kind]!)).toBe(true)
    }
  }
  return ledger
}

/** Every account of the students, who are the only ones of their class. */
export async function checkAccounts(world: CreditWorld, state: CreditState, scClassId: string): Promise<void> {
  const ledger = await checkLedger(world, state)
  for (const [at, held] of ledger.entries()) {
    await checkTranscript(world, state.students[at]!, held)
    await checkPaper(world, state.students[at]!, held)
    await checkLists(world, state.students[at]!, held, scClassId)
  }
  await checkSheets(world, state, ledger, scClassId)
  await checkStatistics(world, state, ledger, scClassId)
}

type Row = { liId: string | null; lisId: string | null; hours: string; credit: string; points: string; status: string }
const asHeld = (rows: readonly Row[]) =>
  rows
    .map((row) => [row.liId ?? row.lisId, amounts(row), row.status])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
const expected = (held: readonly Held[]) =>
  held
    .map(({ id, worth, stands }) => [id, worth, stands ? recordStatus.valid : recordStatus.reversed])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))

type Summary = { totalHours: string; totalCredit: string; totalPoints: string }
const summed = ({ totalHours, totalCredit, totalPoints }: Summary) =>
  amounts({ hours: totalHours, credit: totalCredit, points: totalPoints })
/** Modules that something is held of: hours, and how many records stand. */
const modulesOf = (modules: readonly { lsId: string; have: string; count: number }[]) =>
  Object.fromEntries(
    modules.filter(({ count }) => count > 0).map(({ lsId, have, count }) => [lsId, [toHundredths(have), count]]),
  )
const modulesHeld = ({ school: { curriculum } }: CreditWorld, held: readonly Held[]) =>
  Object.fromEntries(
    (['course', 'supplement'] as const).flatMap((kind) => {
      const own = held.filter((one) => one.kind === kind)
      const count = own.filter(({ stands }) => stands).length
      return count > 0 ? [[curriculum[kind === 'course' ? 'SXCL' : 'JNTC']!, [totalHeld(own)[0], count]] as const] : []
    }),
  )

/** The transcript on the screen, and the list of scores. */
async function checkTranscript(
  world: CreditWorld,
  { suId, suiNumber }: CreditState['students'][number],
  held: Held[],
): Promise<void> {
  const { admin } = world.school
  const [header, rows, scores] = await Promise.all([
    admin.send(transcriptApi.header, { suId }),
    admin.send(transcriptApi.rows, { suId, ...page }),
    admin.send(transcriptApi.stuScore, { search: suiNumber, ...page }),
  ])
  expect(summed(header.summary)).toEqual(totalHeld(held))
  expect(modulesOf(header.modules)).toEqual(modulesHeld(world, held))
  expect(asHeld(rows.records)).toEqual(expected(held))
  expect(asHeld(scores.records)).toEqual(expected(held))
}

/** The paper as it is issued and signed now. */
async function checkPaper(
  world: CreditWorld,
  { suId, suiNumber }: CreditState['students'][number],
  held: Held[],
): Promise<void> {
  const { admin } = world.school
  await admin.download(transcriptApi.export, { suIds: [suId] })
  const { records } = await admin.send(issueApi.list, { search: suiNumber, ...page } as never)
  const { tiId } = records
    .toSorted((a, b) => (a.issueTime < b.issueTime ? 1 : -1))
    .find(({ tiStatus }) => tiStatus === issueStatus.valid)!
  const { bytes } = await admin.download(issueApi.credential, { tiId })
  const { transcript } = (JSON.parse(bytes.toString()) as SignedFile).credentialSubject as unknown as {
    transcript: { summary: Summary; modules: { lsId: string; have: string; count: number }[]; rows: Row[] }
  }
  expect(summed(transcript.summary)).toEqual(totalHeld(held))
  expect(modulesOf(transcript.modules)).toEqual(modulesHeld(world, held))
  expect(asHeld(transcript.rows)).toEqual(expected(held))
}

/** The student's own page, and what the pages of their records say was credited. */
async function checkLists(
  world: CreditWorld,
  { suId }: CreditState['students'][number],
  held: Held[],
  classId: string,
): Promise<void> {
  const { admin } = world.school
  const [hours, credit] = totalHeld(held)
  const detail = await admin.send(studentApi.detail, { id: suId })
  expect([toHundredths(detail.totalHours), toHundredths(detail.totalCredit)]).toEqual([hours, credit])
  const { records } = await admin.send(transcriptApi.list, { classId, ...page })
  const row = records.find((one) => one.suId === suId)!
  expect([toHundredths(row.totalHours), toHundredths(row.totalCredit), row.rowCount]).toEqual([
    hours,
    credit,
    held.filter(({ stands }) => stands).length,
  ])
  for (const { id, worth, stands } of held.filter(({ kind }) => kind === 'supplement')) {
    const { grantedHours, lisStatus } = await admin.send(supplementApi.detail, { lisId: id })
    expect([toHundredths(grantedHours), lisStatus === supplementStatus.credited]).toEqual([worth[0], stands])
  }
}

/** A workbook as records by its heads. */
async function sheet(bytes: Buffer): Promise<Record<string, string>[]> {
  const {
    lines: [headers, ...lines],
  } = await sheetIn(bytes)
  return lines.map(({ cells }) =>
    Object.fromEntries(headers!.cells.map((head, at) => [String(head), String(cells[at] ?? '')])),
  )
}
const read = (text: string | undefined) => toHundredths(text ?? '')

/** The exports that tell what students have. */
async function checkSheets(
  world: CreditWorld,
  { students }: CreditState,
  ledger: readonly Held[][],
  scClassId: string,
): Promise<void> {
  const { admin } = world.school
  const [scores, figures] = await Promise.all([
    admin
      .download(scoreExportApi.export, { suIds: students.map(({ suId }) => suId) })
      .then(({ bytes }) => sheet(bytes)),
    admin.download(studentStatApi.exportDetail, { scClassId, ...page }).then(({ bytes }) => sheet(bytes)),
  ])
  for (const [at, { suiNumber }] of students.entries()) {
    const held = ledger[at]!
    const of = (kind: Held['kind']) => totalHeld(held.filter((one) => one.kind === kind))
    const score = scores.find((row) => row['学号'] === suiNumber)!
    expect(['学时', '学分', '积分'].map((name) => read(score[`合计${name}`]))).toEqual([...totalHeld(held)])
    expect(['学时', '学分', '积分'].map((name) => read(score[`课程${name}`]))).toEqual([...of('course')])
    expect(['学时', '学分', '积分'].map((name) => read(score[`补录${name}`]))).toEqual([...of('supplement')])
    const figure = figures.find((row) => row['学号'] === suiNumber)!
    expect([read(figure['总学时']), read(figure['学分'])]).toEqual(totalHeld(held).slice(0, 2))
  }
}

/** The figures of the class, and the lists behind them. */
async function checkStatistics(
  world: CreditWorld,
  { students, records }: CreditState,
  ledger: readonly Held[][],
  scClassId: string,
): Promise<void> {
  const { admin } = world.school
  const wanted = { scClassId }
  const [total, detail, sups, classes, levels, granted, lessons] = await Promise.all([
    admin.send(studentStatApi.total, wanted),
    admin.send(studentStatApi.detail, { ...wanted, ...page }),
    admin.send(supplementStatApi.info, wanted),
    admin.send(supplementStatApi.classes, wanted),
    admin.send(supplementStatApi.levels, wanted),
    admin.send(supplementStatApi.detail, { ...wanted, ...page, stage: 'granted' }),
    admin.send(lessonStatApi.detail, page),
  ])
  const standing = (held: readonly Held[], kind: Held['kind']) =>
    held.filter((one) => one.stands && one.kind === kind).length
  const mean = (values: readonly number[], unit: number) => Math.round((sum(values) * 100) / unit / values.length) / 100
  expect([total.avgHours, total.avgActivities]).toEqual([
    mean(
      ledger.map((held) => totalHeld(held)[0]),
      100,
    ),
    mean(
      ledger.map((held) => standing(held, 'course')),
      1,
    ),
  ])
  for (const [at, { suId }] of students.entries()) {
    const row = detail.records.find((one) => one.suId === suId)!
    const [hours, credit] = totalHeld(ledger[at]!)
    expect([toHundredths(row.hours), toHundredths(row.credit), row.activities]).toEqual([
      hours,
      credit,
      standing(ledger[at]!, 'course'),
    ])
  }
  const supplements = ledger.flat().filter((one) => one.kind === 'supplement' && one.stands)
  const [hours] = totalHeld(supplements)
  const added = (parts: readonly { hours: number }[]) => Math.round(sum(parts.map((part) => part.hours)) * 100)
  expect(
    [sups.hours, sups.cards.find(({ key }) => key === 'hours')!.value].map((value) => Math.round(value! * 100)),
  ).toEqual([hours, hours])
  expect([sups.types, sups.colleges, classes, levels].map(added)).toEqual([hours, hours, hours, hours])
  expect(Object.fromEntries(granted.records.map((row) => [row.lisId, toHundredths(row.hours)]))).toEqual(
    Object.fromEntries(supplements.map(({ id, worth }) => [id, worth[0]])),
  )
  for (const { id } of records.filter(({ kind }) => kind === 'course')) {
    const own = ledger.flat().filter((one) => one.id === id)
    const row = lessons.records.find(({ liId }) => liId === id)!
    expect([row.granted, toHundredths(row.hours)]).toEqual([
      own.filter(({ stands }) => stands).length,
      totalHeld(own)[0],
    ])
  }
}
