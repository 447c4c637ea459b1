import { useState, type ReactNode } from 'react'
import type { Call } from '../../../contract/core/call.ts'
import { ActionButton } from '../parts/buttons.tsx'
import { dialogOnDemand } from '../parts/loaded-on-demand.tsx'
import type { ImportJob } from './import-types.ts'

const ImportWizard = dialogOnDemand(() => import('./import-wizard.tsx'), 'ImportWizard')

interface ImportButtonProps extends ImportJob {
  /** The call whose right allows the import. */
  to: Pick<Call, 'permit'>
  /** The wizard's title: `批量导入学院`. */
  title: string
  hint?: ReactNode
  children?: ReactNode
}

/** The button that opens the import wizard; the wizard's code is fetched when it is first wanted. */
export function ImportButton({ to, children = '批量导入', ...wizard }: ImportButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionButton to={to} onClick={() => setOpen(true)}>
        {children}
      </ActionButton>
      {isOpen && <ImportWizard {...wizard} onClose={() => setOpen(false)} />}
    </>
  )
}
