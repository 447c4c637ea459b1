import { Drawer } from 'antd'
import { useState, type ReactNode } from 'react'
import { Brand } from './side-menu.tsx'

/** The menu of a phone: a drawer over the page. Drawn only while wanted. */
export function PhoneMenu({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <Drawer
      open={isOpen}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
      placement="left"
      size={280}
      closable={false}
      styles={{ header: { padding: 0, minHeight: 56 }, body: { padding: 0 } }}
      title={<Brand isNarrow={false} />}
    >
      {children}
    </Drawer>
  )
}
