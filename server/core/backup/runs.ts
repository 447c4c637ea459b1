import { backupKind, backupStatus } from '../../../contract/core/codes/platform.ts'
import type { CodeOf } from '../../../contract/core/codes/code-list.ts'
import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Connection } from '../database/connection.ts'
import { withOwnClient } from '../database/own-client.ts'

/** What has become of one backup or drill, in the table that people look at. */
interface RunNote {
  /** Notes that it has begun; earlier ones of the kind that never ended were interrupted. */
  begin(backupName: string): Promise<void>
  /**
   * Notes how it ended, and that it was begun where that was not noted.
   * @param outcome `warning`: what a person should know although it succeeded
   */
  end(outcome: { size?: number; newSize?: number; error?: string; warning?: string | undefined }): Promise<void>
}

/**
 * Notes are a service to people: where they cannot be written (an older schema has no table for them, the disk is
 * full), what they tell of goes on.
 * @param connection of the owner
 */
export function noteRun(connection: Connection, kind: CodeOf<typeof backupKind>, place: string, clock: Clock): RunNote {
  const brId = newId()
  let hasBegun = false
  const begin = async (backupName: string): Promise<void> => {
    hasBegun = true
    await write(connection, [
      [
        `update "backupRun" set "brStatus" = '${backupStatus.failed}', "endTime" = $2, "error" = '中断'
        where "brKind" = $1 and "brStatus" = '${backupStatus.running}'`,
        [kind, clock.now()],
      ],
      [
        `insert into "backupRun" ("brId", "brKind", "place", "backupName", "startTime") values ($1, $2, $3, $4, $5)`,
        [brId, kind, place, backupName, clock.now()],
      ],
    ])
  }
  return {
    begin,
    async end({ size, newSize, error, warning }) {
      if (!hasBegun) await begin('')
      await write(connection, [
        [
          `update "backupRun" set "brStatus" = $2, "endTime" = $3, "size" = $4, "newSize" = $5, "error" = $6
          where "brId" = $1`,
          [
            brId,
            error === undefined ? backupStatus.done : backupStatus.failed,
            clock.now(),
            size ?? null,
            newSize ?? null,
            (error ?? warning ?? '').slice(0, 2000),
          ],
        ],
      ])
    },
  }
}

async function write(connection: Connection, statements: [text: string, values: unknown[]][]): Promise<void> {
  try {
    await withOwnClient(connection, async (client) => {
      await client.query("set timezone = 'Asia/Shanghai'")
      for (const [text, values] of statements) await client.query(text, values)
    })
  } catch (error) {
    process.stderr.write(`（未能登记这次运行：${(error as Error).message}）\n`)
  }
}
