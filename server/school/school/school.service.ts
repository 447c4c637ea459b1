import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { dictionary } from '../../../contract/core/dictionary.ts'
import { nations } from '../../../contract/school/people/nations.ts'
import { from } from '../../core/database/tenant.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { publicPicture } from '../../platform/files/files.service.ts'
import { unavailableReason } from './school-status.ts'

type Entry = { value: string; label: string; sort: number }

/** The fixed dictionaries change with the program; this number tells consoles to fetch them anew. */
const fixedVersion = 4

/** What a school shows of itself, with the version of its dictionaries. */
export async function schoolAppearanceOf({ db }: PublicContext, schoolId: string) {
  const row = await from({ db, schoolId }, 'school')
    .select(['schoolId', 'schName', 'schCode', 'schMotto', 'logoFileId', 'features', 'dictVersion'])
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return {
    ...row,
    features: row.features as Record<string, boolean>,
    dictVersion: `${fixedVersion}.${row.dictVersion}`,
  }
}

/**
 * The same with its pictures, for the page before the sign-in. They are made small once and kept: whoever asks here has
 * not signed in.
 */
export async function schoolWithPictures(ctx: PublicContext, schoolId: string) {
  const face = await schoolAppearanceOf(ctx, schoolId)
  const { loginBgFileId } = await from({ db: ctx.db, schoolId }, 'school')
    .select('loginBgFileId')
    .executeTakeFirstOrThrow()
  const [logo, loginBg] = await Promise.all([
    schoolLogo(ctx, schoolId, face.logoFileId),
    picture(ctx, schoolId, loginBgFileId, { side: 1600, as: 'jpeg' }),
  ])
  return { ...face, dictVersion: undefined, logo, loginBg }
}

/** The mark of a school, small, as a data address. */
export const schoolLogo = (ctx: PublicContext, schoolId: string, logoFileId: string | null): Promise<string | null> =>
  picture(ctx, schoolId, logoFileId, { side: 128, as: 'png' })

const pictures = new Map<string, Promise<string | null>>()

/** The content of a file never changes, so neither does its small picture. */
function picture(
  ctx: PublicContext,
  schoolId: string,
  fileId: string | null,
  form: { side: number; as: 'png' | 'jpeg' },
): Promise<string | null> {
  if (!fileId) return Promise.resolve(null)
  const key = `${schoolId}:${fileId}:${form.side}`
  const made = pictures.get(key)
  if (made) return made
  if (pictures.size > 50) pictures.clear()
  const making = publicPicture(ctx, schoolId, fileId, form).catch((err: unknown) => {
    ctx.log.warn({ err, schoolId, fileId }, 'a picture of the school cannot be shown')
    pictures.delete(key)
    return null
  })
  pictures.set(key, making)
  return making
}

/** Schools as the sign-in page lists them: the asked one, or all that are not suspended when none is named. */
export async function schoolAppearances({ db }: PublicContext, schoolId: string | undefined) {
  let query = db
    .selectFrom('school')
    .select(['schoolId', 'schName', 'schCode', 'schMotto', 'logoFileId', 'features'])
    .orderBy('createTime')
    .limit(50)
  query = schoolId ? query.where('schoolId', '=', schoolId) : query.where('suspendedTime', 'is', null)
  return (await query.execute()).map((row) => ({ ...row, features: row.features as Record<string, boolean> }))
}

/** The id of the school of an installation that has one alone. */
export async function onlySchool({ db }: Pick<PublicContext, 'db'>): Promise<string | undefined> {
  const [first, second] = await db.selectFrom('school').select('schoolId').limit(2).execute()
  return second ? undefined : first?.schoolId
}

/** Whether a school is suspended, is moving or has moved. */
export const isSuspended = async (ctx: Pick<PublicContext, 'db'>, schoolId: string): Promise<boolean> =>
  (await unavailableReasonOf(ctx, schoolId)) !== undefined

/** Why nobody of a school gets in; undefined where it works. */
async function unavailableReasonOf({ db }: Pick<PublicContext, 'db'>, schoolId: string): Promise<Failure | undefined> {
  const row = await from({ db, schoolId }, 'school')
    .select(['suspendedTime', 'moveState', 'movedTo'])
    .executeTakeFirst()
  return row && unavailableReason(row)
}

/** @throws Failure that says why nobody of the school gets in, where it stands still */
export async function assertSchoolActive(ctx: Pick<PublicContext, 'db'>, schoolId: string): Promise<void> {
  const why = await unavailableReasonOf(ctx, schoolId)
  if (why) throw why
}

/** All dictionaries: the fixed ones, and a school's own levels when a school is named. */
export async function allDictionaries(ctx: PublicContext, schoolId: string | undefined) {
  const types: Record<string, Entry[]> = {}
  for (const [type, entries] of Object.entries(dictionary))
    types[type] = entries.map(([value, label], sort) => ({ value, label, sort }))
  const levels = schoolId
    ? await from({ db: ctx.db, schoolId }, 'lessonLevel')
        .select(['llId', 'llName', 'llSort'])
        .where('enable', '=', enableStatus.enabled)
        .orderBy('llSort')
        .execute()
    : []
  types['nation'] = nations.map(([value, label], sort) => ({ value, label, sort }))
  const terms = schoolId
    ? await from({ db: ctx.db, schoolId }, 'term').select(['tmId', 'tmName']).orderBy('tmStart', 'desc').execute()
    : []
  types['term'] = terms.map(({ tmId, tmName }, sort) => ({ value: tmId, label: tmName, sort }))
  types['lesson_level'] = levels.map(({ llId, llName, llSort }) => ({ value: llId, label: llName, sort: llSort }))
  const version = schoolId ? (await schoolAppearanceOf(ctx, schoolId)).dictVersion : String(fixedVersion)
  return { version, types }
}

/** The campuses that people have written down for students and courses: looked up only when they are asked for. */
export async function campusDictionary({ db }: PublicContext, schoolId: string | undefined): Promise<Entry[]> {
  if (!schoolId) return []
  const { rows } = await sql<{ campus: string }>`
    select "suiCampus" as "campus"
    from "person"
    where "schoolId" = ${schoolId} and "suiCampus" <> '' and "delFlag" = '0'
    union
    select "campus"
    from "lesson"
    where "schoolId" = ${schoolId} and "campus" <> '' and "delFlag" = '0'
    order by 1`.execute(db)
  return rows.map(({ campus }, sort) => ({ value: campus, label: campus, sort }))
}

/** A switch of a school's features; absent means off. */
export async function featureOn(ctx: PublicContext, schoolId: string, feature: string): Promise<boolean> {
  return (await schoolAppearanceOf(ctx, schoolId)).features[feature] === true
}
