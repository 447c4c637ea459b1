import { Button } from 'antd'
import { useState } from 'react'
import { DiscardQuestion } from './discard-question.tsx'

/** The way out of a form; asks first where leaving would lose something. */
export function LeaveButton({ isDirty, onLeave, children = '取消' }: { isDirty: boolean; onLeave: () => void; children?: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => (isDirty ? setAsking(true) : onLeave())}>{children}</Button>
      <DiscardQuestion isOpen={isAsking} onDiscard={onLeave} onKeep={() => setAsking(false)} />
    </>
  )
}
