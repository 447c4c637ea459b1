import { graduationApi, type GraduationRow } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { DictionaryChip, StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { studentPaths } from './people-paths.ts'
import { studentTones } from './person-parts.tsx'
import { amountText } from '../../core/service/figure.ts'

const common: Column<GraduationRow>[] = [
  { title: '姓名', dataIndex: 'suiName', width: 104, fixed: 'left', to: ({ suId }) => studentPaths.detail(suId) },
  { title: '学号', dataIndex: 'suiNumber', width: 124 },
  {
    title: '达标',
    dataIndex: 'met',
    width: 92,
    render: (met: boolean) => <StatusChip tone={met ? 'finished' : 'waiting'}>{met ? '达标' : '未达标'}</StatusChip>,
  },
  {
    title: '总学时',
    dataIndex: 'hours',
    width: 104,
    number: true,
    render: (hours: string, { requiredHours }) => (
      <>
        <b>{amountText(hours)}</b> / {amountText(requiredHours)}
      </>
    ),
  },
  { title: '未达标模块', dataIndex: 'gaps', render: (gaps: GraduationRow['gaps']) => <Gaps gaps={gaps} /> },
]
const places: Column<GraduationRow>[] = [
  { title: '班级', dataIndex: 'className', width: 156 },
  { title: '学院', dataIndex: 'collegeName', width: 168 },
  { title: '年级', dataIndex: 'suiGrade', width: 72, hiddenAtFirst: true },
]
const statusChip = (value: string | null) => <DictionaryChip type="student_status" value={value} tones={studentTones} />
const before: Column<GraduationRow> = { title: '原状态', dataIndex: 'statusBefore', width: 92, render: statusChip }
const after: Column<GraduationRow> = { title: '办理后', dataIndex: 'statusAfter', width: 92, render: statusChip }
const kept: Column<GraduationRow> = { title: '未撤销原因', dataIndex: 'keptWhy', width: 176 }

function Gaps({ gaps }: { gaps: GraduationRow['gaps'] }) {
  if (gaps.length === 0) return <span className="nothing">—</span>
  const text = gaps.map(({ lsName, required, have }) => `${lsName} ${have}/${required}`).join('、')
  return (
    <span className="graduation-gaps" title={`${text}（已获 / 要求学时）`}>
      {text}
    </span>
  )
}

const views: View[] = [
  { title: '未达标', filters: { met: '0' } },
  { title: '达标', filters: { met: '1' } },
  { title: '全部', filters: {} },
]
const unmetFirst = { met: '0' }

/** The students of a preview, or of a graduation that was carried out or taken back again. */
export function GraduationRows({
  gbId,
  of = 'preview',
  startsWithUnmet = false,
}: {
  gbId: string
  of?: 'preview' | 'done' | 'undone'
  startsWithUnmet?: boolean
}) {
  const list = useList(graduationApi.rows, {
    fixed: { gbId },
    keep: 'memory',
    ...(startsWithUnmet && { initial: unmetFirst }),
  })
  return (
    <div className="graduation-rows">
      <ListTable
        name={`graduation-${of}`}
        list={list}
        rowKey="suId"
        views={views}
        filters={
          <>
            <TextFilter name="search" label="姓名或学号" />
            <div className="filter-buttons">
              <ExportButton to={graduationApi.exportRows} list={list}>
                导出名单
              </ExportButton>
            </div>
          </>
        }
        columns={[
          ...common,
          before,
          ...(of === 'preview' ? [] : [after]),
          ...(of === 'undone' ? [kept] : []),
          ...places,
        ]}
        empty={{ text: '没有学生' }}
      />
    </div>
  )
}
