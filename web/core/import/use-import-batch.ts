import { useEffect, useState } from 'react'
import { send } from '../service/api.ts'
import { isBusy, type ImportBatch, type ImportJob } from './import-types.ts'
import { refreshAll } from '../service/use-call.ts'

/** Milliseconds between two looks at work that goes on. */
const pause = 700

/**
 * The batch the wizard is about. While work on it goes on it is looked at again and again, whoever started that and
 * whenever; what is on the screen is fetched anew once something was written or taken back.
 */
export function useImportBatch({ api, kind }: ImportJob) {
  const [batch, setBatch] = useState<ImportBatch>()
  const busyId = batch && isBusy(batch) ? batch.ibId : undefined
  const status = batch?.ibStatus
  useEffect(() => {
    if (!busyId) return
    let isOver = false
    const look = async () => {
      while (!isOver) {
        await new Promise((wake) => setTimeout(wake, pause))
        const now = await send(api.batch, { kind, ibId: busyId }, { quiet: true }).catch(() => undefined)
        if (isOver || !now) continue
        setBatch(now)
        if (now.ibStatus !== status) {
          if (!isBusy(now)) void refreshAll()
          return
        }
      }
    }
    void look()
    return () => {
      isOver = true
    }
  }, [api, kind, busyId, status])
  return [batch, setBatch] as const
}
