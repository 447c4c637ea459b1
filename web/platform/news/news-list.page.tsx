import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Link } from 'react-router'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { newsApi, type NewsRow } from '../../../contract/platform/news/news.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { newsActions } from './news-actions.tsx'
import { newsPaths, newsTones, useNewsTypes } from './news-parts.tsx'

const { edit, publish, cancel, show, hide, remove } = newsActions
const columns: Column<NewsRow>[] = [
  {
    title: '标题',
    dataIndex: 'niTitle',
    fixed: 'left',
    sorter: true,
    render: (title: string, { niId, niTop }) => (
      <>
        <Link to={newsPaths.detail(niId)} title={title}>
          {title}
        </Link>
        {niTop === yesNo.yes && (
          <>
            {' '}
            <StatusChip tone="publicity">置顶</StatusChip>
          </>
        )}
      </>
    ),
  },
  { title: '状态', dataIndex: 'niStatus', width: 120, dict: 'news_status', tones: newsTones },
  { title: '分类', dataIndex: 'ntName', width: 112 },
  { title: '类型', dataIndex: 'niClass', width: 96, dict: 'news_class', hiddenAtFirst: true },
  { title: '首页展示', dataIndex: 'niIsShow', width: 88, dict: 'yes_no' },
  { title: '阅读', dataIndex: 'readCount', width: 76, number: true, sorter: true },
  {
    title: '发布时间',
    dataIndex: 'publishTime',
    width: 152,
    sorter: true,
    render: (time: string | null) =>
      time ? <span className="figures">{time.slice(0, 16)}</span> : <span className="nothing">—</span>,
  },
  { title: '创建人', dataIndex: 'createName', width: 100, hiddenAtFirst: true },
  {
    title: '创建时间',
    dataIndex: 'createTime',
    width: 152,
    sorter: true,
    hiddenAtFirst: true,
    render: (time: string) => time.slice(0, 16),
  },
  { title: '来源', dataIndex: 'niSource', width: 120, hiddenAtFirst: true },
  { title: '作者', dataIndex: 'niAuthor', width: 100, hiddenAtFirst: true },
]

/** The school's news: drafts, published ones and those taken back. */
export function NewsListPage() {
  const list = useList(newsApi.list)
  const add = (primary: boolean) => (
    <ActionButton to={newsApi.add} href={newsPaths.add} primary={primary} icon={<PlusOutlined />}>
      新增新闻
    </ActionButton>
  )
  return (
    <ListPage
      title="新闻列表"
      list={list}
      rowKey="niId"
      keepsViews
      columns={columns}
      filters={
        <>
          <TextFilter name="niTitle" label="标题" />
          <SelectFilter name="ntId" label="分类" options={useNewsTypes()} />
          <DictionaryFilter name="niStatus" type="news_status" label="状态" />
          <DateRangeFilter names={['createStartDate', 'createEndDate']} label="创建日期" />
        </>
      }
      moreFilters={{
        names: ['niClass', 'niIsShow'],
        filters: (
          <>
            <DictionaryFilter name="niClass" type="news_class" label="类型" />
            <DictionaryFilter name="niIsShow" type="yes_no" label="首页展示" />
          </>
        ),
      }}
      tools={
        <>
          <ExportButton to={newsApi.exportList} list={list} />
          {add(true)}
        </>
      }
      rowActions={[edit, publish, cancel, show, hide, remove]}
      batchActions={[publish, cancel, show, hide, remove]}
      empty={{ text: '暂无新闻', hint: '新闻保存为草稿，发布后全校师生可以阅读，并可展示在首页。', next: add(false) }}
    />
  )
}
