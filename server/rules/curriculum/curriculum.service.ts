import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { CurriculumNode, curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { opensOn, openUntil, windowOfMonths, windowText } from '../../../contract/rules/curriculum/supplement-window.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { likeText } from '../../core/database/paging.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import {
  curriculumRows,
  fullNameOf,
  lessonCounts,
  usesOf,
  visibleCurricula,
  type CurriculumRow,
} from './curriculum.queries.ts'
import { recordingOf } from './recording.ts'

export { fullNameOf } from './curriculum.queries.ts'

type CallInput<K extends keyof typeof curriculumApi> = Checked<(typeof curriculumApi)[K]>

/**
 * The curriculum as a tree. `lsType` narrows to what serves courses (1), supplements (2) or both (3); a closed node
 * hides all below it.
 */
export async function curriculumTree(
  ctx: Context,
  { lsType, enable, withCounts }: CallInput<'all'>,
): Promise<CurriculumNode[]> {
  const rows = await curriculumRows(ctx, ctx.actor.scopeFor('curriculum:edit'))
  const counts = withCounts ? await lessonCounts(ctx) : new Map<string, number>()
  const shown = rows.filter(
    (row) =>
      (!lsType || row.lsType === lsType || row.lsType === curriculumType.both) && (!enable || row.enable === enable),
  )
  const parents = new Set(rows.map(({ lsPid }) => lsPid))
  const byId = new Map(rows.map((row) => [row.lsId, row]))
  const today = dayOf(ctx.clock.now())
  const usual = windowOfMonths((await schoolSettings(ctx, ctx.actor.schoolId)).supMonths)
  const grow = (lsPid: string | null): CurriculumNode[] =>
    shown
      .filter((row) => row.lsPid === lsPid)
      .map((row) => {
        const lessonCount = counts.get(row.lsId) ?? 0
        const isLeaf = !parents.has(row.lsId)
        const isSupOpen = recordingOf(row, byId, today, usual)?.isOpen ?? false
        return {
          ...onWire(row),
          depth: row.lsPath.length,
          isLeaf,
          lessonCount,
          isSupOpen,
          can: verdicts(ctx, row, isLeaf && lessonCount === 0),
          children: grow(row.lsId),
        }
      })
  return grow(null)
}

/** What may be done to a node: `add` a node below it, `edit`, `move`, `delete`. */
function verdicts({ actor }: Context, row: CurriculumRow, isFree: boolean): string[] {
  const can: string[] = []
  if (!row.mine) return can
  if (actor.permits.has('curriculum:edit')) can.push('edit', 'move', ...(row.lsPath.length < 3 ? ['add'] : []))
  if (isFree && actor.permits.has('curriculum:delete')) can.push('delete')
  return can
}

const decimal = (value: number | null) => (value === null ? null : fromHundredths(value))

function onWire({ mine: _, ...row }: CurriculumRow) {
  const starRule = row.starRule && { unit: row.starRule.unit, steps: row.starRule.steps.map(fromHundredths) }
  return {
    ...row,
    minHours: fromHundredths(row.minHours),
    maxHours: decimal(row.maxHours),
    termCap: decimal(row.termCap),
    starRule,
    ownerRoleName: row.ownerRoleName ?? '',
  }
}

/** One node, for its form, with what hangs on it. */
export async function curriculumForEdit(ctx: Context, { lsId }: CallInput<'getEdit'>) {
  const row = (await curriculumRows(ctx)).find((node) => node.lsId === lsId)
  if (!row) throw new Failure('not-found')
  return { ...onWire(row), uses: await usesOf(ctx, [lsId]) }
}

/** Nodes as options with their whole name, none below a closed one; at most 500. */
const places = (ctx: Context) =>
  visibleCurricula(ctx)
    .select((eb) => [
      'lsId',
      'lsPid',
      'lsName',
      'lsPath',
      fullNameOf('curriculum.lsPath', 'curriculum.schoolId').as('lsFullName'),
      eb
        .not(
          eb.exists(
            eb
              .selectFrom('curriculum as below')
              .select('below.lsId')
              .whereRef('below.schoolId', '=', 'curriculum.schoolId')
              .whereRef('below.lsPid', '=', 'curriculum.lsId'),
          ),
        )
        .as('isLeaf'),
    ])
    .where(
      sql<boolean>`not exists (
          select
          from "curriculum" above
          where above."schoolId" = "curriculum"."schoolId"
            and above."lsId" = any("curriculum"."lsPath")
            and above."enable" <> '1'
        )`,
    )
    .orderBy('lsSort')
    .orderBy('lsId')
    .limit(500)

/**
 * Open nodes: those below `lsPid`, the one of `lsId`, those with `lsName` in their name; all of them without any
 * condition.
 */
export async function curriculumOptions(ctx: Context, { lsPid, lsId, lsName }: CallInput<'dropdown'>) {
  let query = places(ctx)
  if (lsPid) query = query.where('lsPid', '=', lsPid)
  if (lsId) query = query.where('lsId', '=', lsId)
  if (lsName) query = query.where('lsName', 'like', likeText(lsName))
  const rows = await query.execute()
  return rows.map((row) => ({ ...row, isLeaf: Boolean(row.isLeaf) }))
}

/**
 * The nodes directly below `lsId`, or the modules, that take supplements today, with their window and the proof they
 * ask for; a node that is closed itself is listed when one below it is open. `withClosed` also lists those that open at
 * another time.
 */
export async function recordingClasses(
  ctx: Context,
  { lsId, withClosed = false }: CallInput<'recordingClass'>,
): Promise<Output<typeof curriculumApi.recordingClass>> {
  const rows = await curriculumRows(ctx)
  const byId = new Map(rows.map((row) => [row.lsId, row]))
  const today = dayOf(ctx.clock.now())
  const usual = windowOfMonths((await schoolSettings(ctx, ctx.actor.schoolId)).supMonths)
  const states = new Map(rows.map((row) => [row.lsId, recordingOf(row, byId, today, usual)]))
  const openBelow = (above: string) => rows.some((row) => row.lsPath.includes(above) && states.get(row.lsId)?.isOpen)
  return rows
    .filter((row) => row.lsPid === (lsId ?? null))
    .flatMap((row) => {
      const state = states.get(row.lsId)
      if (!state || (!withClosed && !openBelow(row.lsId))) return []
      const { isOpen, window, supProofs, supNote } = state
      return [
        {
          lsId: row.lsId,
          lsPid: row.lsPid,
          lsName: row.lsName,
          lsPath: row.lsPath,
          lsFullName: row.lsPath.map((one) => byId.get(one)!.lsName).join(' / '),
          isLeaf: !rows.some(({ lsPid }) => lsPid === row.lsId),
          isOpen,
          window: windowText(window),
          openUntil: isOpen ? openUntil(window, today) : null,
          opensOn: opensOn(window, today),
          supProofs,
          supNote,
        },
      ]
    })
}

/** The school's open levels in their order. `llFactor` is the decimal factor by which points of the level count. */
export async function lessonLevels(ctx: Context) {
  const rows = await from(ctx, 'lessonLevel')
    .select(['llId', 'llName', 'llFactor', 'llSort'])
    .where('enable', '=', enableStatus.enabled)
    .orderBy('llSort')
    .execute()
  return rows.map((row) => ({ ...row, llFactor: fromHundredths(row.llFactor) }))
}
