import { figure } from '../../core/service/figure.ts'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { SwitchFilter } from '../../core/list/switch-filter.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type List } from '../../core/list/use-list.ts'
import { batchActions, lessonPaths, useLessonActions } from './lesson-actions.tsx'
import { useAwardTemplates, useColleges, useLevels } from './lesson-choices.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { statusChoices } from '../../shared/lessons/lesson-status.tsx'
import '../../shared/lessons/lessons.css'
import { firstColumns } from './lesson-columns.tsx'
import { useLessonViews } from './lesson-views.ts'

/**
 * What waits for an action of the course's own people: mend and resubmit, publish, submit the result, mend the result.
 */
const waitingForMe = { liStatus: '11,20,30.5,41', myLesson: '1' }

const columns: Column<LessonRow>[] = [
  ...firstColumns(lessonPaths.detail),
  { title: '课程体系', dataIndex: 'lsName', width: 112 },
  { title: '级别', dataIndex: 'liLevelName', width: 104 },
  { title: '负责人', dataIndex: 'liPrincipalName', width: 76 },
  { title: '学时', dataIndex: 'liHours', width: 76, number: true, sorter: true },
  { title: '待审核报名', dataIndex: 'pendingCount', width: 108, number: true, sorter: true, hiddenAtFirst: true },
  { title: '主办单位', dataIndex: 'liSponsorName', width: 148 },
  { title: '地点', dataIndex: 'placeText', width: 160, hiddenAtFirst: true },
  { title: '编号', dataIndex: 'liNo', width: 140, sorter: true, hiddenAtFirst: true },
  { title: '学分', dataIndex: 'liCredit', width: 76, number: true, hiddenAtFirst: true },
  { title: '名额', dataIndex: 'quota', width: 76, number: true, sorter: true, hiddenAtFirst: true },
  { title: '创建人', dataIndex: 'createName', width: 90, hiddenAtFirst: true },
  { title: '创建时间', dataIndex: 'createTime', width: 168, sorter: true, hiddenAtFirst: true },
]

/**
 * Named views with how many the other filters find of each: one count call for the states, one narrow list call for
 * what waits for me.
 */
function useViews(list: List<LessonRow>): View[] {
  const { sort: _, order: __, ...filters } = list.query
  const { data: mine, isPlaceholderData: isFormer } = useCall(
    lessonApi.view,
    { ...filters, ...waitingForMe, pageSize: 1 },
    { keepPrevious: true },
  )
  const { all, view } = useLessonViews(list, Object.keys(waitingForMe))
  return [
    all,
    { title: '待我处理', filters: waitingForMe, ...(mine && { count: mine.total, isFormer }) },
    view('草稿', lessonStatus.draft),
    view('审批中', lessonStatus.publishInReview, lessonStatus.resultInReview),
    view('已发布', lessonStatus.published),
    view('待公示', lessonStatus.resultPassed),
    view('公示中', lessonStatus.inNotice, lessonStatus.questioned),
    view('已完成', lessonStatus.completed, lessonStatus.archived),
  ]
}

/** All courses the person may see, and what may be done to each now. */
export function LessonListPage() {
  const list = useList(lessonApi.view)
  const { acts, dialogs } = useLessonActions('list')
  const views = useViews(list)
  // closed nodes included: courses hang on them, and the curriculum leads here
  const { tree } = useCurriculumTree()
  const { count: waiting, isFormer } = views[1]!
  // a school of industry has its own form first; the other stays at hand
  const { data: scheme } = useCall(schoolApi.isGydx, {}, { staleTime: 300_000 })
  const isIndustry = scheme?.isGydx === true
  const first = isIndustry ? lessonPaths.addIndustry : lessonPaths.add
  return (
    <>
      <ListPage
        title="课程列表"
        facts={waiting ? <span className={formerClass(isFormer)}>{figure(waiting)} 门待我处理</span> : undefined}
        list={list}
        rowKey="liId"
        views={views}
        filters={
          <>
            <TextFilter name="liName" label="课程名称" />
            <CascadeFilter name="lsId" label="课程体系" tree={tree} />
            <SelectFilter name="liStatus" label="状态" options={statusChoices()} multiple />
            <DateRangeFilter names={['startTime', 'endTime']} label="活动时间" />
          </>
        }
        moreFilters={{
          names: [
            ['createStartDate', 'createEndDate'],
            'liLevel',
            'liCollegeId',
            'atId',
            'liScheme',
            'myLesson',
            'pending',
          ],
          filters: (
            <>
              <DateRangeFilter names={['createStartDate', 'createEndDate']} label="创建日期" />
              <SelectFilter name="liLevel" label="级别" options={useLevels()} />
              <SelectFilter name="liCollegeId" label="学院" options={useColleges()} />
              <SelectFilter name="atId" label="奖励模板" options={useAwardTemplates()} />
              <SelectFilter name="liScheme" label="课程表单" options={useDictionary('form_scheme')} />
              <SwitchFilter name="myLesson" label="我的课程" />
              <SwitchFilter name="pending" label="有待审核的报名" />
            </>
          ),
        }}
        tools={
          <>
            <ExportButton to={lessonApi.export} list={list} />
            <ImportButton
              to={lessonApi.save}
              api={importApi}
              kind="lesson"
              title="批量导入课程"
              hint="每行生成一门课程草稿，检查后可在列表中批量提交审批。"
            />
            {isIndustry && (
              <ActionButton to={lessonApi.save} href={lessonPaths.add}>
                新增普通课程
              </ActionButton>
            )}
            <ActionButton to={lessonApi.save} href={first} icon={<PlusOutlined />} primary>
              新增课程
            </ActionButton>
          </>
        }
        columns={columns}
        rowActions={acts}
        batchActions={batchActions}
        keepsViews
        empty={{
          text: '暂无课程',
          hint: '新增课程并提交审批，通过后即可发布。',
          next: (
            <ActionButton to={lessonApi.save} href={first}>
              新增课程
            </ActionButton>
          ),
        }}
      />
      {dialogs}
    </>
  )
}
