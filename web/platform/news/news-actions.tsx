import { yesNo } from '../../../contract/core/codes/platform.ts'
import { newsApi, type NewsRow } from '../../../contract/platform/news/news.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { newsPaths } from './news-parts.tsx'

const action = actionOn<NewsRow>()
const unit = '篇新闻'
const niIds = (rows: readonly NewsRow[]) => rows.map(({ niId }) => niId)

const edit = action.link({
  label: '编辑',
  call: newsApi.update,
  fits: ({ can }) => can.includes('edit'),
  href: ({ niId }) => newsPaths.edit(niId),
})
const publish = action({
  label: '发布',
  call: newsApi.publish,
  unit,
  fits: ({ can }) => can.includes('publish'),
  confirm: '发布后全校师生可以阅读。',
  input: (rows) => ({ niIds: niIds(rows) }),
})
const cancel = action({
  label: '取消发布',
  call: newsApi.cancel,
  unit,
  fits: ({ can }) => can.includes('cancel'),
  confirm: '取消后仅编辑人员可见。',
  ask: <AreaField name="reason" rows={2} placeholder="选填" />,
  input: (rows, { reason }) => ({ niIds: niIds(rows), ...(reason ? { reason: reason as string } : {}) }),
})
const toggle = (niIsShow: '0' | '1') =>
  action({
    label: niIsShow === yesNo.yes ? '首页展示' : '取消展示',
    call: newsApi.show,
    unit,
    fits: (row) => row.can.includes('show') && row.niIsShow !== niIsShow,
    input: (rows) => ({ niIds: niIds(rows), niIsShow }),
  })
const removal = (after?: () => void) =>
  action.remove({
    call: newsApi.remove,
    unit,
    input: (rows) => ({ niIds: niIds(rows) }),
    ...(after && { after }),
  })

export const newsActions = {
  edit,
  publish,
  cancel,
  show: toggle(yesNo.yes),
  hide: toggle(yesNo.no),
  remove: removal(),
  removal,
}
