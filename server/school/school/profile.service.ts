import type { Checked } from '../../../contract/core/call.ts'
import { yesNo as yesNoCodes } from '../../../contract/core/codes/platform.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { replaceFiles } from '../../platform/files/file-use.service.ts'
import { viewFile, viewPrivateFile } from '../../platform/files/files.service.ts'

type Form = Checked<typeof schoolInfoApi.saveProfile>
type Features = Record<string, boolean>

/** The right to print the seal. */
export const sealPermit = schoolInfoApi.seal.permit
const columns = [
  'schoolId',
  'schName',
  'schCode',
  'schMotto',
  'address',
  'phone',
  'logoFileId',
  'badgeFileId',
  'sealFileId',
  'loginBgFileId',
  'features',
  'version',
  'updateTime',
] as const
const visibleSchool = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'school')
const yesNo = (features: Features, name: string) => (features[name] === true ? yesNoCodes.yes : yesNoCodes.no)

/** What the school says of itself; its seal only for those who may see it. */
export async function schoolProfile(ctx: Context) {
  const { features, sealFileId, ...row } = await visibleSchool(ctx).select(columns).executeTakeFirstOrThrow()
  const maySeal = ctx.actor.permits.has(sealPermit)
  const can = [
    ...(ctx.actor.permits.has('school:edit') ? ['edit' as const] : []),
    ...(maySeal ? ['seal' as const] : []),
  ]
  return {
    ...row,
    sealFileId: maySeal ? sealFileId : null,
    hasSeal: sealFileId !== null,
    isGydx: yesNo(features as Features, 'isGydx'),
    isYkdx: yesNo(features as Features, 'isYkdx'),
    can,
  }
}

/** Changes what the school says of itself. Somebody who may not see the seal leaves it as it is. */
export function saveProfile(ctx: Context, { version, isGydx, isYkdx, ...form }: Form) {
  return inTransaction(ctx, async (tx) => {
    const before = await visibleSchool(tx).select(columns).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    const maySeal = tx.actor.permits.has(sealPermit)
    if (!maySeal && form.sealFileId !== undefined && form.sealFileId !== before.sealFileId)
      throw new Failure('not-permitted')
    const fields = {
      schName: form.schName,
      schCode: form.schCode ?? '',
      schMotto: form.schMotto ?? '',
      address: form.address ?? '',
      phone: form.phone ?? '',
      logoFileId: form.logoFileId ?? null,
      badgeFileId: form.badgeFileId ?? null,
      sealFileId: maySeal ? (form.sealFileId ?? null) : before.sealFileId,
      loginBgFileId: form.loginBgFileId ?? null,
    }
    if (fields.sealFileId !== null && picturesOf(fields).includes(fields.sealFileId))
      throw invalidInput([{ field: 'sealFileId', msg: '公章须单独上传，不能与公开的图片共用' }])
    const features = { ...(before.features as Features), isGydx, isYkdx }
    // the private one first: it must be a fresh upload, and not also one of the public ones
    await replaceFiles(tx, [before.sealFileId], [fields.sealFileId], { isPrivate: true })
    await replaceFiles(tx, picturesOf(before), picturesOf(fields))
    await tx.db
      .updateTable('school')
      .set({ ...fields, features: JSON.stringify(features), ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .execute()
    const flat = ({ features: of, ...row }: typeof fields & { features: unknown }) => ({
      ...row,
      isGydx: yesNo(of as Features, 'isGydx'),
      isYkdx: yesNo(of as Features, 'isYkdx'),
    })
    await audit(tx, {
      action: '修改学校资料',
      bizType: 'school',
      bizId: tx.actor.schoolId,
      bizName: fields.schName,
      ...changedFields(flat(before), flat({ ...fields, features })),
    })
    return { version: before.version + 1 }
  })
}

/** What everybody may see. */
const picturesOf = ({
  logoFileId,
  badgeFileId,
  loginBgFileId,
}: Record<'logoFileId' | 'badgeFileId' | 'loginBgFileId', string | null>) => [logoFileId, badgeFileId, loginBgFileId]

/** What stands on papers of the school: its badge, else its logo, and the seal for those who may set it. */
export async function picturesForPrint(ctx: Context): Promise<{ badge: string | null; seal: string | null }> {
  const { badgeFileId, logoFileId, sealFileId } = await visibleSchool(ctx)
    .select(['badgeFileId', 'logoFileId', 'sealFileId'])
    .executeTakeFirstOrThrow()
  return { badge: badgeFileId ?? logoFileId, seal: ctx.actor.permits.has(sealPermit) ? sealFileId : null }
}

/**
 * The seal itself, for those who may see it; another id is looked for among what the person may see, such as what they
 * have just uploaded.
 */
export async function schoolSeal(ctx: Context, { id }: Checked<typeof schoolInfoApi.seal>): Promise<FileAnswer> {
  const { sealFileId } = await visibleSchool(ctx).select('sealFileId').executeTakeFirstOrThrow()
  if (id && id !== sealFileId) return viewFile(ctx, { id })
  if (!sealFileId) throw new Failure('not-found')
  return viewPrivateFile(ctx, sealFileId)
}
