import { Drawer } from 'antd'
import { useState } from 'react'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { useIsPhone } from '../../core/parts/use-width.ts'

/** Who changed what of the school, when, why, and what it was before. */
export function HistoryDrawer({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  return (
    <Drawer
      open={isOpen}
      title="变更记录"
      size={isPhone ? '100%' : 560}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
    >
      <RecordTimeline bizType="school" />
    </Drawer>
  )
}
