import { provinceApi, provinceFigures, smallGroup } from '../../../contract/outcomes/statistics/province.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { figure } from '../../core/service/figure.ts'

type Row = RowOf<typeof provinceApi.schools>

/** What most people want to see; the others are chosen. */
const atFirst: ReadonlySet<string> = new Set([
  'students',
  'coverage',
  'avgHours',
  'metRate',
  'lessons',
  'signRate',
  'supplements',
  'monthActive',
])

const columns: Column<Row>[] = [
  { title: '学校名称', dataIndex: 'schName', width: 200, fixed: 'left' },
  ...provinceFigures.map(({ key, name, unit }): Column<Row> => ({
    title: `${name}（${unit}）`,
    key,
    width: 148,
    number: true,
    hiddenAtFirst: !atFirst.has(key),
    render: (_: never, { figures }) =>
      figures[key] === null || figures[key] === undefined ? <span className="nothing">—</span> : figure(figures[key]),
  })),
  { title: '统计至', dataIndex: 'asOf', width: 168, hiddenAtFirst: true },
]

/** The eight screens of the statistics across schools, for whoever runs the installation. */
export function ProvincePage() {
  const list = useList(provinceApi.schools)
  return (
    <ListPage
      title="各校统计"
      list={list}
      rowKey="schoolId"
      sizes={[10, 20]}
      columns={columns}
      filters={<TextFilter name="search" label="学校" placeholder="名称或代码" />}
      facts={`与各校统计页的数字相同，不加筛选；不足 ${smallGroup} 人的数字不显示，学生不足 ${smallGroup} 人的学校全部不显示`}
    />
  )
}
