import { Transform, type Readable } from 'node:stream'
import { sealBytes, sealedKey, unsealBytes } from '../../core/secrets/field-crypto.ts'
import { movedToSecrets } from '../../core/secrets/passwords.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'

/** What of a table is bound to the secrets of an installation. */
interface SecretColumns {
  /** Sealed fields; of some a keyed hash lies in a column beside them. */
  sealed?: Record<string, { hash?: string }>
  /** Hashes of passwords. */
  passwords?: string[]
}

/** Every column that an archive holds and that only the secrets open. */
export const secretColumns: Record<string, SecretColumns> = {
  account: { sealed: { totpSecret: {}, totpPending: {} }, passwords: ['passwordHash'] },
  identityProvider: { sealed: { sealedSecret: {} } },
  outboxDestination: { sealed: { sealedSecret: {} } },
  passwordHistory: { passwords: ['passwordHash'] },
  importSource: { sealed: { secret: {} } },
  person: { sealed: { suiIdCard: { hash: 'suiIdCardHash' }, suiPhone: { hash: 'suiPhoneHash' } } },
  signingKey: { sealed: { sealedKey: {} } },
}

/** NULL in the text format of COPY, and the beginning of bytes. */
const nothing = '\\N'
const hexMark = '\\\\x'

const bytesOf = (cell: string): Buffer => Buffer.from(cell.slice(hexMark.length), 'hex')
const cellOf = (bytes: Buffer): string => hexMark + bytes.toString('hex')

/** The rows of a table (text format of COPY) as other secrets open them. */
export function resealed(
  { name, columns }: { name: string; columns: readonly string[] },
  rows: Readable,
  from: Secrets,
  to: Secrets,
): Readable {
  const { sealed = {}, passwords = [] } = secretColumns[name] ?? {}
  const fields = Object.entries(sealed).map(([column, { hash }]) => ({
    at: columns.indexOf(column),
    hashAt: hash ? columns.indexOf(hash) : -1,
  }))
  const hashes = passwords.map((column) => columns.indexOf(column))
  if (fields.length === 0 && hashes.length === 0) return rows
  const changed = (line: string): string => {
    const cells = line.split('\t')
    for (const { at, hashAt } of fields) {
      if (cells[at] === nothing) continue
      const plain = unsealBytes(bytesOf(cells[at]!), from)
      cells[at] = cellOf(sealBytes(plain, to))
      if (hashAt !== -1 && cells[hashAt] !== nothing) cells[hashAt] = cellOf(sealedKey(plain.toString('utf8'), to)!)
    }
    for (const at of hashes) if (cells[at] !== nothing) cells[at] = movedToSecrets(cells[at]!, from, to)
    return cells.join('\t')
  }
  return eachLine(rows, changed)
}

/** Changes a text line by line; characters are never cut, for lines are cut as bytes. */
function eachLine(source: Readable, change: (line: string) => string): Readable {
  let rest = Buffer.alloc(0)
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        const all = Buffer.concat([rest, chunk])
        const end = all.lastIndexOf(10) + 1
        rest = all.subarray(end)
        const whole = all.subarray(0, end).toString('utf8')
        done(null, whole && `${whole.slice(0, -1).split('\n').map(change).join('\n')}\n`)
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      done(rest.length > 0 ? new Error('a row without an end') : null)
    },
  })
  source.on('error', (error) => lines.destroy(error))
  return source.pipe(lines)
}
