import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../database/pool.ts'
import { giveToOwnerOf, guardWriting } from '../base/data-folder.ts'
import type { Config } from '../base/config.ts'
import { StartFault } from '../base/start-fault.ts'

/**
 * What must never lie in the database. Lost, passwords (pepper) and sealed fields (fieldKey) are lost with them. 32
 * bytes each.
 */
export interface Secrets {
  /** Mixed into every password before it is hashed. */
  pepper: Buffer
  /** Encrypts id numbers and phone numbers. */
  fieldKey: Buffer
  /** Makes the keyed hashes by which sealed fields are searched; derived from `fieldKey`. */
  hashKey: Buffer
}

/**
 * The secrets from the settings, else from `secrets.json` in the data folder, which is made at the first start and
 * readable by its owner only.
 */
export function loadSecrets({
  dataDir,
  secretPepper,
  secretFieldKey,
}: Pick<Config, 'dataDir' | 'secretPepper' | 'secretFieldKey'>): Secrets {
  const kept = secretPepper && secretFieldKey ? undefined : keptSecrets(dataDir)
  return secretsOf({ pepper: secretPepper ?? kept!.pepper, fieldKey: secretFieldKey ?? kept!.fieldKey })
}

/** All secrets of the two that are kept. */
export const secretsOf = ({ pepper, fieldKey }: Pick<Secrets, 'pepper' | 'fieldKey'>): Secrets => ({
  pepper,
  fieldKey,
  hashKey: createHmac('sha256', fieldKey).update('hash of sealed fields').digest(),
})

function keptSecrets(dataDir: string): Pick<Secrets, 'pepper' | 'fieldKey'> {
  const path = join(dataDir, 'secrets.json')
  if (!existsSync(path)) guardWriting(dataDir, () => makeSecrets(dataDir, path))
  try {
    const { pepper, fieldKey } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
    const read = { pepper: Buffer.from(pepper ?? '', 'hex'), fieldKey: Buffer.from(fieldKey ?? '', 'hex') }
    if (read.pepper.length === 32 && read.fieldKey.length === 32) return read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new StartFault(`密钥文件 ${path} 不可读，请检查它的所有者与权限。`)
  }
  throw new StartFault(`密钥文件 ${path} 已损坏，请从备份恢复。没有它，已有的密码和加密字段都无法使用。`)
}

/** Written whole or not at all, and of two processes starting at once both use the first one's. */
function makeSecrets(dataDir: string, path: string): void {
  mkdirSync(dataDir, { recursive: true })
  const own = `${path}.${process.pid}`
  const made = { pepper: randomBytes(32).toString('hex'), fieldKey: randomBytes(32).toString('hex') }
  try {
    writeFileSync(own, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true })
    giveToOwnerOf(dataDir, own)
    linkSync(own, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * The secrets of this installation, which are those that its database was first used with. Where the file is missing
 * beside a database that is not new, the start is refused, and none that fits nothing is left behind.
 */
export async function openSecrets(db: Db, config: Parameters<typeof loadSecrets>[0]): Promise<Secrets> {
  const path = join(config.dataDir, 'secrets.json')
  const wasThere = existsSync(path)
  const secrets = loadSecrets(config)
  try {
    await checkSecrets(db, secrets)
    return secrets
  } catch (error) {
    if (!wasThere && error instanceof StartFault) rmSync(path, { force: true })
    throw error
  }
}

/**
 * The secrets as {@link openSecrets} would find them; nothing is written. Undefined before the first use of a database,
 * which makes them.
 * @throws StartFault where a start would be refused
 */
export async function readSecrets(db: Db, config: Parameters<typeof loadSecrets>[0]): Promise<Secrets | undefined> {
  const known = await knownMark(db)
  const isGiven = config.secretPepper !== undefined && config.secretFieldKey !== undefined
  if (!isGiven && !existsSync(join(config.dataDir, 'secrets.json'))) {
    if (known === undefined) return undefined
    throw mismatch()
  }
  const secrets = loadSecrets(config)
  if (known !== undefined && known !== markOf(secrets)) throw mismatch()
  return secrets
}

/**
 * Compares the secrets with those the database was first used with: with others, nobody could sign in and no sealed
 * field be read, and new rows would make it worse.
 */
async function checkSecrets(db: Db, secrets: Secrets): Promise<void> {
  await db
    .insertInto('installation')
    .values({ inKey: 'secrets', inValue: markOf(secrets) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if ((await knownMark(db)) !== markOf(secrets)) throw mismatch()
}

/** By what a database knows its secrets without holding them. */
const markOf = ({ pepper, fieldKey }: Secrets): string => createHmac('sha256', pepper).update(fieldKey).digest('hex')

const knownMark = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('installation').select('inValue').where('inKey', '=', 'secrets').executeTakeFirst())?.inValue

const mismatch = (): StartFault =>
  new StartFault(
    '密钥与数据库不符：这个数据库是用另一套密钥写入的。请从备份恢复数据目录中的 secrets.json（或 SECRET_PEPPER、SECRET_FIELD_KEY），参见 docs/operations.md“密钥”。',
  )
