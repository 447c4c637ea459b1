import { Drawer } from 'antd'
import { useState } from 'react'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { NoShowsTab } from './no-shows-tab.tsx'

/** A student's broken promises over the list they were found in. */
export function NoShowsDrawer({
  student: { suId, suiName, suiNumber },
  onClose,
}: {
  student: { suId: string; suiName: string; suiNumber: string }
  onClose: () => void
}) {
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(true)
  return (
    <Drawer
      open={isOpen}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
      size={isPhone ? '100%' : 980}
      title={`${suiName}（${suiNumber}）的爽约记录`}
      className="list-drawer"
    >
      <NoShowsTab suId={suId} />
    </Drawer>
  )
}
