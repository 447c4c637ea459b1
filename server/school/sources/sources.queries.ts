import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { sourceRunStatus } from '../../../contract/core/codes/school.ts'
import type { SourceRow, SourceRun, sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { asPage, countOf, offsetOf, contains } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import type { SourceConnection } from './source-connection.ts'
import type { RunCounts } from './source-rules.ts'

/** The sources that exist for whoever asks: those of the school, for whoever sees all of it. */
export const visibleSources = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'importSource').where(sql<boolean>`${scope.whole}`)

/** The runs of these sources. */
export const visibleRuns = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'importSourceRun').where(sql<boolean>`${scope.whole}`)

const runColumns = [
  'runId',
  'runStatus',
  'isByHand',
  'importSourceRun.createName',
  'startTime',
  'endTime',
  'fileName',
  'counts',
  'fault',
] as const

type RunRow = {
  runId: string
  runStatus: string
  isByHand: string
  createName: string
  startTime: string
  endTime: string | null
  fileName: string
  counts: unknown
  fault: string
}

const noCounts: RunCounts = { rows: 0, new: 0, update: 0, same: 0, conflict: 0, fault: 0, leavers: 0 }

/** A run as the wire shows it. */
const asRun = (run: RunRow): SourceRun => ({
  ...run,
  runStatus: run.runStatus as SourceRun['runStatus'],
  isByHand: run.isByHand === yesNo.yes,
  counts: (run.counts as RunCounts | null) ?? noCounts,
  can:
    run.runStatus === sourceRunStatus.waiting
      ? ['accept', 'discard']
      : run.runStatus === sourceRunStatus.done
        ? ['undo']
        : [],
})

const sortable = {
  isName: 'importSource.isName',
  createTime: 'importSource.createTime',
  nextRun: 'importSource.nextRun',
}

/** A page of sources with the last run of each. */
export async function listSources(ctx: Context, input: Checked<typeof sourceApi.list>) {
  let query = visibleSources(ctx)
  if (input.isName) query = query.where(contains('importSource.isName', input.isName))
  const [rows, total] = await Promise.all([
    query
      .leftJoin('person', withinSchool('person.suId', 'importSource.ownerId'))
      .select([
        'isId',
        'isName',
        'isKind',
        'isWay',
        'place',
        'runAt',
        'changeLimit',
        'leaverRule',
        'leaverLimit',
        'isEnabled',
        'nextRun',
        'importSource.version',
        'importSource.createTime',
        'person.suiName',
      ])
      .select(sql<boolean>`"secret" is not null`.as('hasSecret'))
      .orderBy(listOrder(input, sortable))
      .orderBy('importSource.createTime', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const last = await lastRuns(
    ctx,
    rows.map(({ isId }) => isId),
  )
  const records = rows.map(({ place, suiName, ...row }) => ({
    ...row,
    ...placeOf(place as Partial<SourceConnection>),
    isKind: row.isKind as SourceRow['isKind'],
    isWay: row.isWay as SourceRow['isWay'],
    format: (place as SourceConnection).format as SourceRow['format'],
    leaverRule: row.leaverRule as SourceRow['leaverRule'],
    isEnabled: row.isEnabled === yesNo.yes,
    ownerName: suiName ?? '',
    lastRun: last.get(row.isId) ?? null,
    can: actionsOn(last.get(row.isId)),
  }))
  return asPage(records, total, input)
}

/** Where the data are, as the form takes it; one that was saved long ago lacks what came later. */
const placeOf = ({ hostKey: _, ...place }: Partial<SourceConnection>) => ({
  fileName: '',
  address: '',
  jsonPath: '',
  viewName: '',
  scimFilter: '',
  columns: [],
  ...place,
})

const actionsOn = (last: SourceRun | undefined): SourceRow['can'] =>
  last && isOneOf(last.runStatus, sourceRunStatus.running, sourceRunStatus.waiting)
    ? ['edit', 'delete']
    : ['edit', 'delete', 'run']

async function lastRuns(ctx: Context, isIds: readonly string[]): Promise<Map<string, SourceRun>> {
  const rows = await visibleRuns(ctx)
    .distinctOn('isId')
    .select(runColumns)
    .select('isId')
    .where(sql<boolean>`"isId" = any(${isIds}::uuid[])`)
    .orderBy('isId')
    .orderBy('startTime', 'desc')
    .orderBy('runId', 'desc')
    .execute()
  return new Map(rows.map(({ isId, ...run }) => [isId, asRun(run)]))
}

/** The runs of one source, the last first. */
export async function listRuns(ctx: Context, input: Checked<typeof sourceApi.runs>) {
  const query = visibleRuns(ctx).where('isId', '=', input.isId)
  const [rows, total] = await Promise.all([
    query
      .select(runColumns)
      .orderBy('startTime', 'desc')
      .orderBy('runId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows.map(asRun), total, input)
}

/** A student's standing and whether their account is on. */
export interface AccountState {
  suiStatus: string
  suStatus: string
}

/** A student who is no longer in a source, with the standing to which undoing takes them back. */
export interface Leaver extends AccountState {
  suId: string
  suiNumber: string
  suiName: string
  /**
   * The standing that the run gave them; null: it gave them none. Absent in runs that kept no such thing, of which the
   * rule of their source tells what they gave.
   */
  given?: AccountState | null
}
