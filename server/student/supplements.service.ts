import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { supplementStatus } from '../../contract/core/codes/programme.ts'
import { Failure } from '../../contract/core/failure.ts'
import { hasDecided } from '../../contract/programme/approvals/people-of-step.ts'
import type { FlowProgress } from '../../contract/programme/lessons/lessons.schema.ts'
import { supplementApi } from '../../contract/programme/supplements/supplements.calls.ts'
import { openUntil, windowText } from '../../contract/rules/curriculum/supplement-window.ts'
import type { ownSupplementApi } from '../../contract/student/supplements.calls.ts'
import { dayOf } from '../core/base/clock.ts'
import type { Context } from '../core/request/context.ts'
import { ownActs } from '../core/request/own-acts.ts'
import { assertVersion } from '../core/request/scope-check.ts'
import { viewFile, viewPrivateFile } from '../platform/files/files.service.ts'
import type { CreditKinds } from '../programme/credits/recredit.service.ts'
import { dupHints } from '../programme/supplements/dup-hints.queries.ts'
import { supplementsOfStudent } from '../programme/supplements/student-supplements.queries.ts'
import { previewSupplement, withdrawSupplement } from '../programme/supplements/supplement-approval.service.ts'
import { supplementDetails } from '../programme/supplements/supplement-detail.queries.ts'
import { editSupplements } from '../programme/supplements/supplement-removal.service.ts'
import { saveSupplement } from '../programme/supplements/supplement-save.service.ts'
import { visibleSupplements } from '../programme/supplements/supplements.queries.ts'
import { recordingPlaces } from '../rules/curriculum/recordings.service.ts'
import { withOwnRights } from './own-rights.ts'

type Input<K extends keyof typeof ownSupplementApi> = Checked<(typeof ownSupplementApi)[K]>

/** With what a student may do to a record of their own that they entered: write, put forward, take back. */
const entering = (ctx: Context): Context => withOwnRights(ctx, supplementApi.save.permit)

/**
 * The student's own records: what others still write for them is not theirs yet, and what they enter for others as
 * secretary of their class never is.
 */
const ownSupplements = (ctx: Context) =>
  visibleSupplements(ctx)
    .where('supplement.suId', '=', ctx.actor.suId)
    .where('supplement.delFlag', '=', sql.lit(yesNo.no))
    .where((or) =>
      or.or([or('supplement.lisStatus', '<>', supplementStatus.draft), or('supplement.createBy', '=', ctx.actor.suId)]),
    )

/** One of the student's own records; `not-found` for any other. */
async function ownSupplement(ctx: Context, lisId: string) {
  const row = await ownSupplements(ctx)
    .select(['supplement.lisId', 'supplement.version'])
    .where('supplement.lisId', '=', lisId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

/** The student's own records, newest first, with their drafts. */
export const listOwnSupplements = (ctx: Context, input: Input<'list'>) =>
  supplementsOfStudent(entering(ctx), { ...input, suId: ctx.actor.suId })

/** One of them with its proofs, its way to the ledger and what its reviewers wrote. */
export async function ownSupplementDetail(ctx: Context, { lisId }: Input<'detail'>) {
  await ownSupplement(ctx, lisId)
  const { can, flows, ...record } = await supplementDetails(entering(ctx), { lisId })
  return { ...record, can: ownActs(ctx.actor, can), flows: flows.map(withoutInternalWords) }
}

/**
 * An approval with what its reviewers said of the record: not whom they asked for an opinion and what that was, nor
 * what they wrote to whom they handed it on to.
 */
const withoutInternalWords = (flow: FlowProgress): FlowProgress => ({
  ...flow,
  steps: flow.steps.map((step) => ({
    ...step,
    people: step.people
      .filter(({ askedByName }) => askedByName === '')
      .map((person) => (hasDecided(person) ? person : { ...person, opinion: '' })),
  })),
})

/** Writes a record of the student, for nobody else; with `submit` it goes into approval at once. */
export async function saveOwnSupplement(ctx: Context, input: Input<'save'>) {
  if (input.lisId) await ownSupplement(ctx, input.lisId)
  return saveSupplement(entering(ctx), { ...input, suId: ctx.actor.suId })
}

/** Every node of the curriculum that takes supplements at some time, with what it asks for. */
export async function supplementPlaces(ctx: Context): Promise<Output<typeof ownSupplementApi.places>> {
  const today = dayOf(ctx.clock.now())
  return (await recordingPlaces(ctx)).flatMap(({ lsId, fullName, allowLevels, recording }) => {
    if (!recording) return []
    const { isOpen, window, supProofs, supNote } = recording
    return [
      {
        lsId,
        fullName,
        allowLevels,
        isOpen,
        window: windowText(window),
        openUntil: isOpen ? openUntil(window, today) : null,
        supProofs,
        supNote,
      },
    ]
  })
}

/** Records that look like the one that is being written; those of others are told without names. */
export const ownDupHints = (ctx: Context, input: Input<'dupHints'>) =>
  dupHints(entering(ctx), { ...input, suId: ctx.actor.suId })

/** Who would decide it, and what it would give. */
export const previewOwnSupplement = (ctx: Context, input: Input<'preview'>) =>
  previewSupplement(entering(ctx), { ...input, suId: ctx.actor.suId })

/** Takes a record back from its reviewers. */
export async function withdrawOwnSupplement(ctx: Context, input: Input<'withdraw'>) {
  const row = await ownSupplement(ctx, input.lisId)
  if (input.version !== undefined) assertVersion(ctx, row, input.version)
  return withdrawSupplement(entering(ctx), input)
}

/** Deletes a record that nobody has approved. */
export async function removeOwnSupplement(ctx: Context, kinds: CreditKinds, { lisId, reason }: Input<'remove'>) {
  await ownSupplement(ctx, lisId)
  return editSupplements(entering(ctx), kinds, { lisId: [lisId], delFlag: yesNo.yes, reason })
}

/** Gives out a proof of one of the student's own records, and what they have just uploaded. */
export async function ownSupplementProof(ctx: Context, { id }: Input<'proof'>) {
  const holder = await ownSupplements(ctx)
    .select('supplement.lisId')
    .where(sql<boolean>`"supplement"."lisProofs" @> ${[id]}::uuid[]`)
    .executeTakeFirst()
  return holder ? viewPrivateFile(ctx, id) : viewFile(ctx, { id })
}
