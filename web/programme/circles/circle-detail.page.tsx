import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { CircleDetail } from '../../../contract/programme/circles/circles.schema.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { circleAuthStatus, circleMemberRole } from '../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { DetailPage, Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { FileLink, StoredImage } from '../../core/parts/stored-file.tsx'
import { useTab } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { figure } from '../../core/service/figure.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import { CircleActivities } from './circle-activities.tsx'
import { circleActions } from './circle-actions.tsx'
import { CircleApplications } from './circle-applications.tsx'
import { CircleMembers } from './circle-members.tsx'
import { circlePaths, CircleStatus, reviewTones } from '../../shared/circles/circle-parts.tsx'
import './circles.css'

const action = actionOn<CircleDetail>()
const names = (people: readonly { suiName: string; suiNumber: string }[]) =>
  people.map(({ suiName, suiNumber }) => `${suiName}（${suiNumber}）`).join('、')
const count = (title: string, number: number) => (number > 0 ? `${title} ${figure(number)}` : title)

/**
 * A circle: what it is, its people, what it does and what it has applied for. The same page stands in the personal
 * centre.
 */
export function CircleDetailPage() {
  const [query] = useSearchParams()
  const { close, path } = useTab()
  const [isGone, setGone] = useState(false)
  const [isApplying, setApplying] = useState(false)
  const {
    data: circle,
    isPending,
    error,
    refetch,
  } = useCall(circleApi.detail, { ciId: query.get('ciId') ?? '' }, { enabled: !isGone })
  const list = path.startsWith(circlePaths.own) ? circlePaths.own : circlePaths.list
  const leave = () => {
    setGone(true)
    close(list)
  }
  const apply = action.open({
    label: '提交申请',
    call: circleApplyApi.apply,
    fits: ({ can }) => can.includes('apply'),
    onOpen: () => setApplying(true),
  })
  const { edit, enable, disable, exit, removal } = circleActions
  return (
    <>
      <DetailPage<CircleDetail>
        record={circle}
        isLoading={isPending}
        reading={{ error, refetch }}
        noun="圈子"
        list={list}
        idOf={({ ciId }) => ciId}
        name={({ ciName }) => ciName}
        status={(record) => <CircleStatus circle={record} />}
        facts={({ ciNo, ccName, collegeName, cpiPersonName }) =>
          [ciNo, ccName, collegeName || '全校', `负责人：${cpiPersonName}`].join(' · ')
        }
        actions={[edit, apply, enable, disable, exit, removal(leave)] as unknown as RowAction<CircleDetail>[]}
        tabs={(record) => [
          { key: 'info', title: '基本信息', content: <CircleFacts circle={record} /> },
          {
            key: 'members',
            title: count('成员', record.memberCount),
            isWide: true,
            content: <CircleMembers circle={record} />,
          },
          {
            key: 'lessons',
            title: count('活动', record.activityCount),
            isWide: true,
            content: <CircleActivities ciId={record.ciId} />,
          },
          {
            key: 'applications',
            title: count('申请', record.pendingCount),
            isWide: true,
            content: <CircleApplications ciId={record.ciId} />,
          },
          { key: 'history', title: '动态', content: <RecordTimeline bizType="circle" bizId={record.ciId} /> },
        ]}
      />
      {circle && isApplying && <ApplyDialog circle={circle} onClose={() => setApplying(false)} />}
    </>
  )
}

function CircleFacts({ circle }: { circle: CircleDetail }) {
  const officers = circle.persons.filter(({ cmRole }) =>
    isOneOf(cmRole, circleMemberRole.vicePresident, circleMemberRole.head, circleMemberRole.officer),
  )
  return (
    <>
      {circle.reason && isOneOf(circle.ciAuthStatus, circleAuthStatus.refused, circleAuthStatus.withdrawn) && (
        <p className="circle-reason" role="note">
          <b>驳回原因：</b>
          {circle.reason}
        </p>
      )}
      <Facts
        items={[
          { label: '分类', value: circle.ccName },
          { label: '级别', value: labelOf('circle_level', circle.ciLevel) },
          { label: '挂靠学院', value: circle.collegeName || '全校' },
          { label: '业务指导单位', value: circle.guideUnitName },
          { label: '成立日期', value: circle.foundDate },
          { label: '入会方式', value: labelOf('circle_join_mode', circle.joinMode) },
          {
            label: '人数',
            value: `${figure(circle.memberCount)} 人${circle.memberMax ? `，上限 ${figure(circle.memberMax)} 人` : ''}`,
          },
          { label: '创建', value: `${circle.createName} · ${circle.createTime.slice(0, 16)}` },
          {
            label: '章程',
            value: circle.charter && <FileLink view={fileApi.view} id={circle.charter.id} name={circle.charter.name} />,
          },
        ]}
      />
      <Facts
        title="人员"
        items={[
          { label: '负责人', value: names([circle.principal]) },
          { label: '指导老师', value: names(circle.teachers) },
          {
            label: '骨干',
            isWide: true,
            value: officers
              .map(({ suiName, cmRole }) => `${suiName}（${labelOf('circle_member_role', cmRole)}）`)
              .join('、'),
          },
        ]}
      />
      <Facts
        title="简介"
        items={[
          {
            label: '圈子简介',
            isWide: true,
            value: circle.ciDesc && <span className="circle-text">{circle.ciDesc}</span>,
          },
          ...(circle.imgList.length > 0
            ? [
                {
                  label: '图片',
                  isWide: true,
                  value: (
                    <span className="circle-images">
                      {circle.imgList.map((id, at) => (
                        <StoredImage key={id} view={fileApi.view} id={id} name={`${circle.ciName} 图片 ${at + 1}`} />
                      ))}
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      {circle.reviews.length > 0 && (
        <Facts
          title="年审"
          items={circle.reviews.map(({ crYear, crResult, crStar, activityCount, reviewTime }) => ({
            label: `${crYear} 年度`,
            isWide: true,
            value: (
              <>
                <DictionaryChip type="circle_review" value={crResult} tones={reviewTones} />{' '}
                {crStar !== null && `${labelOf('circle_star', crStar)}，`}活动 {figure(activityCount)} 场，
                {reviewTime.slice(0, 10)} 审核
              </>
            ),
          }))}
        />
      )}
    </>
  )
}
