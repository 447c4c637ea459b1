import { LockButton } from '../parts/buttons.tsx'
import { useDiscardQuestion } from './discard-question.tsx'

/** The way out of a form; asks first where leaving would lose something. */
export function LeaveButton({
  isDirty,
  onLeave,
  children = '取消',
}: {
  isDirty: boolean
  onLeave: () => void
  children?: string
}) {
  const [ask, question] = useDiscardQuestion(isDirty)
  return (
    <>
      <LockButton onClick={() => ask(onLeave)}>{children}</LockButton>
      {question}
    </>
  )
}
