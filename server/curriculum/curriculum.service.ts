import type { Checked } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { CurriculumNode, curriculumApi } from '../../contract/curriculum/curriculum.calls.ts'
import type { Context } from '../core/context.ts'
import { likeText } from '../core/pages.ts'
import { curriculumRows, fullNameOf, lessonCounts, visibleCurricula, type CurriculumRow } from './curriculum.queries.ts'

export { fullNameOf } from './curriculum.queries.ts'

type Asked<K extends keyof typeof curriculumApi> = Checked<(typeof curriculumApi)[K]>

/** The curriculum as a tree. `lsType` narrows to what serves courses (1) or supplements (2); a closed node hides all below it. */
export async function curriculumTree(ctx: Context, { lsType, enable, withCounts }: Asked<'all'>): Promise<CurriculumNode[]> {
  const rows = await curriculumRows(ctx, ctx.actor.scopeFor('curriculum:edit'))
  const counts = withCounts ? await lessonCounts(ctx) : new Map<string, number>()
  const shown = rows.filter((row) => (!lsType || row.lsType === lsType || row.lsType === '3') && (!enable || row.enable === enable))
  const parents = new Set(rows.map(({ lsPid }) => lsPid))
  const grow = (lsPid: string | null): CurriculumNode[] =>
    shown.filter((row) => row.lsPid === lsPid).map((row) => {
      const lessonCount = counts.get(row.lsId) ?? 0
      const isLeaf = !parents.has(row.lsId)
      return { ...onWire(row), depth: row.lsPath.length, isLeaf, lessonCount, can: verdicts(ctx, row, isLeaf && lessonCount === 0), children: grow(row.lsId) }
    })
  return grow(null)
}

/** What may be done to a node: `add` a node below it, `edit`, `sort`, `delete`. */
function verdicts({ actor }: Context, row: CurriculumRow, isFree: boolean): string[] {
  const can: string[] = []
  if (!row.mine) return can
  if (actor.permits.has('curriculum:edit')) can.push('edit', 'sort', ...(row.lsPath.length < 3 ? ['add'] : []))
  if (isFree && actor.permits.has('curriculum:delete')) can.push('delete')
  return can
}

const decimal = (value: number | null) => (value === null ? null : fromHundredths(value))

function onWire({ mine: _, ...row }: CurriculumRow) {
  return { ...row, minHours: fromHundredths(row.minHours), maxHours: decimal(row.maxHours), termCap: decimal(row.termCap), ownerRoleName: row.ownerRoleName ?? '' }
}

/** One node, for its form. */
export async function curriculumForEdit(ctx: Context, { lsId }: Asked<'getEdit'>) {
  const row = (await curriculumRows(ctx)).find((node) => node.lsId === lsId)
  if (!row) throw new Failure('not-found')
  return onWire(row)
}

/** Nodes as options with their whole name; at most 500. */
const places = (ctx: Context) =>
  visibleCurricula(ctx)
    .select((eb) => [
      'lsId', 'lsPid', 'lsName', 'lsPath', fullNameOf('curriculum.lsPath', 'curriculum.schoolId').as('lsFullName'),
      eb.not(eb.exists(eb.selectFrom('curriculum as below').select('below.lsId').whereRef('below.schoolId', '=', 'curriculum.schoolId').whereRef('below.lsPid', '=', 'curriculum.lsId'))).as('isLeaf'),
    ])
    .where('curriculum.enable', '=', '1')
    .orderBy('lsSort')
    .orderBy('lsId')
    .limit(500)

const asPlaces = (rows: Awaited<ReturnType<ReturnType<typeof places>['execute']>>) => rows.map((row) => ({ ...row, isLeaf: Boolean(row.isLeaf) }))

/** Open nodes: those below `lsPid`, the one of `lsId`, those with `lsName` in their name; all of them without any condition. */
export async function curriculumOptions(ctx: Context, { lsPid, lsId, lsName }: Asked<'dropdown'>) {
  let query = places(ctx)
  if (lsPid) query = query.where('lsPid', '=', lsPid)
  if (lsId) query = query.where('lsId', '=', lsId)
  if (lsName) query = query.where('lsName', 'like', likeText(lsName))
  return asPlaces(await query.execute())
}

/** Open nodes that take supplements: those directly below `lsId`, or the modules. */
export async function recordingClasses(ctx: Context, { lsId }: Asked<'recordingClass'>) {
  const query = places(ctx).where('lsType', 'in', ['2', '3'])
  return asPlaces(await (lsId ? query.where('lsPid', '=', lsId) : query.where('lsPid', 'is', null)).execute())
}

/** The school's open levels in their order. `llFactor` is the decimal factor by which points of the level count. */
export async function lessonLevels({ db, actor }: Context) {
  const rows = await db.selectFrom('lessonLevel').select(['llId', 'llName', 'llFactor', 'llSort']).where('schoolId', '=', actor.schoolId).where('enable', '=', '1').orderBy('llSort').execute()
  return rows.map((row) => ({ ...row, llFactor: fromHundredths(row.llFactor) }))
}
