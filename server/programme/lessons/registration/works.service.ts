import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../../contract/core/failure.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import type { Work } from '../../../../contract/programme/lessons/works.ts'
import { audit } from '../../../core/audit/audit.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { countOf } from '../../../core/database/paging.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { releaseFiles, replaceFiles } from '../../../platform/files/file-use.service.ts'
import { viewFile, viewPrivateFile } from '../../../platform/files/files.service.ts'
import { loadLessonForCheck, reachLesson } from '../model/lessons.queries.ts'
import { workFault } from './works.ts'

/** The work of a registration, by the name of its table in the query; null where none was handed in. */
export const workOf = (registration: 'registration' | 'r') => {
  const of = sql.raw(`"${registration}"`)
  return sql<Work | null>`case
    when ${of}."workTime" is not null then json_build_object(
      'text', ${of}."workText",
      'time', to_char(${of}."workTime", 'YYYY-MM-DD HH24:MI:SS'),
      'files', (
        select coalesce(json_agg(json_build_object('id', f."fileId", 'name', f."fileName", 'kind', f."kind") order by w."at"), '[]')
        from unnest(${of}."workFiles") with ordinality w("fileId", "at")
        join "file" f on f."schoolId" = ${of}."schoolId" and f."fileId" = w."fileId"
      )
    )
  end`
}

/** A participant (the actor) hands in a work, or another one in its place. */
export function handInWork(
  ctx: Context,
  { liId, workText, workFiles }: { liId: string; workText: string; workFiles: string[] },
) {
  if (workText === '' && workFiles.length === 0)
    throw invalidInput([{ field: 'workText', msg: '请填写成果说明，或上传文件' }])
  return inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const lesson = await reachLesson(tx, liId, { lock: true })
    const row = await from(tx, 'registration')
      .select(['laId', 'laStatus', 'workFiles', 'workTime'])
      .where('liId', '=', liId)
      .where('suId', '=', suId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Failure('not-found')
    const fault = workFault({ ...lesson, laStatus: row.laStatus }, tx.clock.now())
    if (fault) throw fault
    await replaceFiles(tx, row.workFiles, workFiles, { isPrivate: true })
    await tx.db
      .updateTable('registration')
      .set({ workText, workFiles, workTime: tx.clock.now() })
      .where('schoolId', '=', schoolId)
      .where('laId', '=', row.laId)
      .execute()
    await audit(tx, {
      action: row.workTime === null ? '提交成果' : '修改成果',
      bizType: 'lesson',
      bizId: liId,
      bizName: lesson.liName,
    })
    return { affected: 1 }
  })
}

/**
 * Gives up the works of participations that end here, because they are deleted or begun anew: nobody could read their
 * files any more. In the transaction that has locked their course.
 */
export const discardWorks = (ctx: Context, laIds: readonly string[]): Promise<void> =>
  discardWhere(ctx, anyOf('laId', laIds))

/**
 * The same of a whole course that is put out of sight: nobody who looks after it could read what was handed in any
 * more. In the transaction that has locked it.
 */
export const discardWorksOfCourse = (ctx: Context, liId: string): Promise<void> =>
  discardWhere(ctx, sql<boolean>`"registration"."liId" = ${liId}::uuid`)

async function discardWhere(ctx: Context, which: RawBuilder<boolean>): Promise<void> {
  const rows = await from(ctx, 'registration')
    .select(['laId', 'workFiles'])
    .where(which)
    .where('workTime', 'is not', null)
    .execute()
  if (rows.length === 0) return
  await ctx.db
    .updateTable('registration')
    .set({ workText: '', workFiles: [], workTime: null })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where(
      anyOf(
        'laId',
        rows.map(({ laId }) => laId),
      ),
    )
    .execute()
  await releaseFiles(
    ctx,
    rows.flatMap(({ workFiles }) => workFiles),
  )
}

/** How many participants of a course have handed in a work. */
export const countWorks = (ctx: Context, liId: string): Promise<number> =>
  countOf(from(ctx, 'registration').where('liId', '=', liId).where('workTime', 'is not', null))

/** The registration for which a file was handed in. */
const holderOf = (ctx: Context, id: string) =>
  from(ctx, 'registration')
    .select(['liId', 'suId'])
    .where('workTime', 'is not', null)
    .where(sql<boolean>`"registration"."workFiles" @> ${[id]}::uuid[]`)
    .executeTakeFirst()

/** Gives a file that was handed in to one who may see the course's participants. */
export async function participantWorkFile(ctx: Context, { id }: Checked<typeof registrationApi.workFile>) {
  const holder = await holderOf(ctx, id)
  if (!holder) throw new Failure('not-found')
  await loadLessonForCheck(ctx, holder.liId)
  return viewPrivateFile(ctx, id)
}

/** Gives a file that the actor has handed in, or has just uploaded to do so. */
export async function ownWorkFile(ctx: Context, { id }: { id: string }) {
  const holder = await holderOf(ctx, id)
  if (!holder) return viewFile(ctx, { id })
  if (holder.suId !== ctx.actor.suId) throw new Failure('not-found')
  return viewPrivateFile(ctx, id)
}
