import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import { PageHead } from '../../core/screen/page-head.tsx'
import { GraduateErasures } from './graduate-erasures.tsx'
import { GraduationBatches } from './graduation-batches.tsx'
import { GraduationWizard } from './graduation-wizard.tsx'
import '../../shared/people/student-actions.css'
import './graduation.css'

/** Graduating years of students, and what was graduated before. */
export function GraduationPage() {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('tab')
  const part = asked === 'batches' || asked === 'keep' ? asked : 'do'
  return (
    <div className="page list-page">
      <PageHead title="毕业办理" facts="按年级核对第二课堂达标情况，整批办理毕业，30 天内可以撤销" />
      <Tabs
        className="graduation-tabs"
        activeKey={part}
        onChange={(key) => setQuery(key === 'do' ? {} : { tab: key })}
        items={[
          { key: 'do', label: '办理毕业' },
          { key: 'batches', label: '毕业批次' },
          { key: 'keep', label: '信息保留' },
        ]}
      />
      <div hidden={part !== 'do'}>
        <GraduationWizard />
      </div>
      {part === 'batches' && <GraduationBatches />}
      {part === 'keep' && <GraduateErasures />}
    </div>
  )
}
