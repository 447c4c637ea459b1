import { Dialog } from '../parts/dialog.tsx'
import { useState, type ReactNode } from 'react'

/**
 * Does what would lose something only after a question, and at once where nothing would be lost; the question is drawn
 * by whoever asks it.
 */
export function useDiscardQuestion(isDirty: boolean): [ask: (leave: () => void) => void, question: ReactNode] {
  const [asked, setAsked] = useState<{ leave: () => void }>()
  const leave = () => {
    setAsked(undefined)
    asked?.leave()
  }
  const question = (
    <Dialog
      open={asked !== undefined}
      title="放弃未保存的内容？"
      okText="放弃"
      okButtonProps={{ danger: true }}
      cancelText="继续编辑"
      width={400}
      onOk={leave}
      onCancel={() => setAsked(undefined)}
    >
      <p>所填内容尚未保存，放弃后不能恢复。</p>
    </Dialog>
  )
  return [(wished) => (isDirty ? setAsked({ leave: wished }) : wished()), question]
}
