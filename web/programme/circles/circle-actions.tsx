import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { CircleRow } from '../../../contract/programme/circles/circles.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import { circlePaths, pairsOf } from '../../shared/circles/circle-parts.tsx'

const action = actionOn<CircleRow>()
const unit = '个圈子'

const edit = action.link({
  label: '编辑',
  call: circleApi.update,
  fits: ({ can }) => can.includes('edit'),
  href: ({ ciId }) => circlePaths.edit(ciId),
})
const enable = action({
  label: '启用',
  call: circleApi.enable,
  unit,
  fits: ({ can }) => can.includes('enable'),
  input: pairsOf,
  confirm: false,
})
const disable = action({
  label: '停用',
  call: circleApi.disable,
  unit,
  fits: ({ can }) => can.includes('disable'),
  confirm: '停用后不能再发起活动，已在进行的活动不受影响。',
  input: pairsOf,
})
const exit = action({
  label: '退出',
  call: circleApi.exit,
  unit,
  fits: ({ can }) => can.includes('exit'),
  isDanger: true,
  confirm: '退出后不再是该圈子的指导老师或成员。',
  input: ([row]) => ({ ciId: row!.ciId }),
})
const removal = (after?: () => void) =>
  action.remove({
    call: circleApi.remove,
    unit,
    confirm: '删除后不能恢复，待审核的申请一并作废。',
    input: pairsOf,
    ...(after && { after }),
  })

export const circleActions = { edit, enable, disable, exit, remove: removal(), removal }
