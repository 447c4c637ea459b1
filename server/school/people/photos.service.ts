import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { viewFile, viewPrivateFile } from '../../platform/files/files.service.ts'
import { under } from './people.service.ts'
import { visibleStudents } from './students.service.ts'
import { visibleTeachers } from './teachers.service.ts'

/**
 * A person's photo, for themselves and for those who may see them; and a picture just uploaded, for the one who is
 * filling in the form.
 */
export async function viewPhoto(ctx: Context, { id }: Checked<typeof piiApi.photo>): Promise<FileAnswer> {
  const { db, actor } = ctx
  const own = from({ db, actor }, 'person').where('person.suId', '=', actor.suId)
  const ways = [own, visibleStudents(under(ctx, 'student:list')), visibleTeachers(under(ctx, 'teacher:list'))]
  for (const people of ways) {
    if (await people.select('person.suId').where('person.suiPhoto', '=', id).executeTakeFirst())
      return viewPrivateFile(ctx, id)
  }
  return viewFile(ctx, { id })
}
