import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { circleActions } from './circle-actions.tsx'
import { circleColumns } from './circle-list.page.tsx'
import { circlePaths, useCircleClasses } from '../../shared/circles/circle-parts.tsx'

/** The circles I lead or guide. */
export function MyCirclesPage() {
  const list = useList(circleApi.list, { fixed: { mine: '1' } })
  return (
    <ListPage
      title="我指导的圈子"
      list={list}
      rowKey="ciId"
      columns={circleColumns(circlePaths.mine)}
      filters={
        <>
          <TextFilter name="ciName" label="圈子名称" placeholder="名称或编号" />
          <SelectFilter name="ciClass" label="分类" options={useCircleClasses()} />
          <DictionaryFilter name="ciStatus" type="circle_status" label="状态" />
        </>
      }
      tools={<ExportButton to={circleApi.exportList} list={list} />}
      rowActions={[circleActions.edit, circleActions.exit]}
      empty={{ text: '您还没有指导或负责的圈子', hint: '成为圈子的指导老师或负责人后，会显示在这里。' }}
    />
  )
}
