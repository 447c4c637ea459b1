import { Tabs } from '../../core/parts/tabs.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { usePart } from '../../core/screen/use-address.ts'
import { GraduateErasures } from './graduate-erasures.tsx'
import { GraduationBatches } from './graduation-batches.tsx'
import { GraduationWizard } from './graduation-wizard.tsx'
import '../../shared/people/student-actions.css'
import './graduation.css'

/** Graduating years of students, and what was graduated before. */
export function GraduationPage() {
  const { open, tabs } = usePart({ do: '办理毕业', batches: '毕业批次', keep: '信息保留' })
  return (
    <div className="page list-page">
      <PageHead title="毕业办理" facts="按年级核对第二课堂达标情况，整批办理毕业，30 天内可以撤销" />
      <Tabs className="graduation-tabs" {...tabs} />
      <div hidden={open !== 'do'}>
        <GraduationWizard />
      </div>
      {open === 'batches' && <GraduationBatches />}
      {open === 'keep' && <GraduateErasures />}
    </div>
  )
}
