import type { Logger } from 'pino'
import { archiverOf, assertOwner } from '../../core/backup/archiver.ts'
import { openRecipients } from '../../core/backup/keys.ts'
import { openWalArchive } from '../../core/backup/wal-archive.ts'
import type { Config } from '../../core/base/config.ts'
import type { WalArchive } from '../../core/postgres/wal-handover.ts'

type OnFault = (fault: Error | undefined) => void

/**
 * Where the settings have the WAL of the embedded database go; every program that starts it must hand it over, or
 * the archive would have a gap.
 * @throws StartFault where the keys are not such
 */
export async function walArchiveOf(
  { walArchive: place, backupRecipients, dataDir }: Config,
  onFault: OnFault = () => {},
): Promise<WalArchive | undefined> {
  if (!place) return undefined
  const mayWrite = (systemIdentifier: string) => assertOwner(place, systemIdentifier, archiverOf(dataDir))
  return openWalArchive(place, await openRecipients(backupRecipients), mayWrite, onFault)
}

/** Writes into the log when archiving begins to fail and when it works again; what comes before the log is kept. */
export function walArchiveFaults(): { tell: OnFault; sendTo(log: Logger): void } {
  let log: Logger | undefined
  let told: string | undefined
  let last: { fault: Error | undefined } | undefined
  const write = (fault: Error | undefined): void => {
    if (fault?.message === told) return
    told = fault?.message
    if (fault) log?.error({ err: fault }, 'WAL archiving fails')
    else log?.info('WAL archiving works again')
  }
  return {
    tell: (fault) => (log ? write(fault) : (last = { fault })),
    sendTo(opened) {
      log = opened
      if (last?.fault) write(last.fault)
    },
  }
}
