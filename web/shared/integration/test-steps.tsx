import { Button, Modal, Skeleton } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import './test-steps.css'

interface Answer {
  steps: { name: string; isGood: boolean; text: string }[]
}

/** What a test of another system has found, step by step; it changes nothing. */
export function TestStepsDialog<C extends Call>({
  title,
  call,
  input,
  offer,
  onClose,
}: {
  title: string
  call: Output<C> extends Answer ? C : never
  input: Input<C>
  /** What can be done about what was found, beside the buttons. */
  offer?: (answer: Output<C>) => ReactNode
  onClose: () => void
}) {
  const [isOpen, setOpen] = useState(true)
  const { data, refetch, isFetching } = useCall(call as Call, input, { staleTime: 0 })
  const answer = data as Answer | undefined
  return (
    <Modal
      open={isOpen}
      title={title}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      footer={
        <>
          {answer && !isFetching && offer?.(data as Output<C>)}
          <Button onClick={() => void refetch()} loading={isFetching}>
            再测一次
          </Button>
          <Button type="primary" onClick={() => setOpen(false)}>
            知道了
          </Button>
        </>
      }
    >
      {answer && !isFetching ? (
        <ul className="test-steps" aria-live="polite">
          {answer.steps.map(({ name, isGood, text }) => (
            <li key={name}>
              <StatusChip tone={isGood ? 'finished' : 'refused'}>{name}</StatusChip>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton active paragraph={{ rows: 2 }} title={false} />
      )}
    </Modal>
  )
}
