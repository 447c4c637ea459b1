import { Alert, Button } from 'antd'
import dayjs from 'dayjs'
import { useState, type ReactNode } from 'react'
import { clearDraft, readDraft } from '../service/draft.ts'

interface DraftOfferOptions {
  /** The version of the record as it was read now, where it has any. */
  version?: unknown
  /** Some of what was filled in is never kept on a machine. */
  isPartial?: boolean
  onTake: (values: Record<string, unknown>) => void
}

/**
 * The draft that was kept on this machine under a name when the screen was opened, offered until it is taken up or
 * dropped. A draft tells the version it was typed over as `version`: where that is another one now, the offer warns.
 */
export function useDraftOffer(
  name: string | undefined,
  { version, isPartial = false, onTake }: DraftOfferOptions,
): ReactNode {
  const [draft, setDraft] = useState(() => (name === undefined ? undefined : readDraft(name)))
  if (name === undefined || !draft) return null
  const { at, values } = draft
  const isOutdated = values['version'] !== undefined && version !== undefined && values['version'] !== version
  const warnings = [
    ...(isOutdated ? ['该记录此后已被他人修改，恢复后请逐项核对，再保存'] : []),
    ...(isPartial ? ['证件、电话等敏感内容未保存在本机，恢复后请重新填写'] : []),
  ]
  const take = () => {
    setDraft(undefined)
    onTake(values)
  }
  const drop = () => {
    setDraft(undefined)
    // what has been typed since stands under the same name, and is not what was offered
    if (readDraft(name)?.at === at) clearDraft(name)
  }
  return (
    <Alert
      className="draft-offer"
      type={isOutdated ? 'warning' : 'info'}
      showIcon
      title={`本机存有 ${dayjs(at).format('MM-DD HH:mm')} 未提交的内容`}
      description={warnings.length > 0 && warnings.join('；')}
      action={
        <>
          <Button size="small" type="link" onClick={take}>
            恢复
          </Button>
          <Button size="small" type="text" onClick={drop}>
            丢弃
          </Button>
        </>
      }
    />
  )
}
