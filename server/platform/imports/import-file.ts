import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Failure } from '../../../contract/core/failure.ts'
import { makeTemporaryFolder } from '../../core/base/temporary-folder.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { sealBytes, unsealBytes } from '../../core/secrets/field-crypto.ts'

/** Keeps an uploaded file while its import waits: sealed, because it is full of papers and phone numbers. */
export async function keepFile({ db, actor, secrets }: Context, ibId: string, path: string): Promise<void> {
  await db
    .insertInto('importFile')
    .values({ schoolId: actor.schoolId, ibId, content: sealBytes(await readFile(path), secrets) })
    .execute()
}

/** Bytes of the kept file; 0 where there is none any more. */
export async function fileSize(ctx: Context, ibId: string): Promise<number> {
  const row = await from(ctx, 'importFile')
    .select(sql<number>`octet_length("content")`.as('size'))
    .where('ibId', '=', ibId)
    .executeTakeFirst()
  return row?.size ?? 0
}

/** Runs `work` with the kept file as a private temporary one. */
export async function withFile<R>(
  { db, actor, secrets }: Context,
  ibId: string,
  work: (path: string) => Promise<R>,
): Promise<R> {
  const row = await from({ db, actor }, 'importFile').select('content').where('ibId', '=', ibId).executeTakeFirst()
  if (!row) throw new Failure('import-finished')
  const folder = makeTemporaryFolder('upload')
  try {
    const path = join(folder, 'content')
    await writeFile(path, unsealBytes(row.content, secrets), { mode: 0o600 })
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Forgets the file of an import that has been committed or given up. */
export async function dropFile({ db, actor }: Context, ibId: string): Promise<void> {
  await db.deleteFrom('importFile').where('schoolId', '=', actor.schoolId).where('ibId', '=', ibId).execute()
}
