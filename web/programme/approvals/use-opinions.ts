import { useState } from 'react'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { useDirty } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'

interface Opinions {
  /** What is written about a case so far. */
  of: (bizId: string) => string
  /** The cases about which something is written that was not sent. */
  unsent: readonly string[]
  write: (bizId: string, opinion: string) => void
  /** Drops what was written about cases that have been decided with it. */
  forget: (bizIds: readonly string[]) => void
}

/**
 * The opinions a reviewer is writing, by case: each stays while they look at other cases, and the tab asks before they
 * are lost.
 */
export function useOpinions(): Opinions {
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({})
  const unsent = Object.keys(written).filter((bizId) => written[bizId]!.trim() !== '')
  useDirty(unsent.length > 0)
  // the phrases of `Opinion`: asked for beside the queue, not only once its first case stands there
  useCall(approvalActionApi.opinions, {})
  return {
    unsent,
    of: (bizId) => written[bizId] ?? '',
    write: (bizId, opinion) => setWritten((now) => ({ ...now, [bizId]: opinion })),
    forget: (bizIds) =>
      setWritten((now) => Object.fromEntries(Object.entries(now).filter(([bizId]) => !bizIds.includes(bizId)))),
  }
}
