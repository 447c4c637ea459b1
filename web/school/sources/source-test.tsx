import { Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { sourceApi, type SourceRow } from '../../../contract/school/sources/sources.calls.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import './sources.css'

/** What a test of a source has found, step by step; it changes nothing. */
export function SourceTestDialog({ source, onClose }: { source: SourceRow; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const { data, refetch, isFetching } = useCall(sourceApi.test, { isId: source.isId }, { staleTime: 0 })
  return (
    <Modal
      open={isOpen}
      title={`测试${quoted(source.isName)}`}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      footer={
        <>
          <Button onClick={() => void refetch()} loading={isFetching}>
            再测一次
          </Button>
          <Button type="primary" onClick={() => setOpen(false)}>
            知道了
          </Button>
        </>
      }
    >
      {data && !isFetching ? (
        <ul className="source-steps" aria-live="polite">
          {data.steps.map(({ name, isGood, text }) => (
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
