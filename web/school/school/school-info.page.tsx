import AreaChartOutlined from '@ant-design/icons/AreaChartOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { provinceApi } from '../../../contract/outcomes/province/province.calls.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { Tabs } from '../../core/parts/tabs.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { HistoryDrawer } from './history-drawer.tsx'
import { ExamWeeksTab } from './exam-weeks-tab.tsx'
import { PlacesTab } from './places-tab.tsx'
import { HolidaysTab } from './holidays-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { NoticeTab } from './notice-tab.tsx'
import { RulesTab } from './rules-tab.tsx'
import { SignOutEverybody } from './sign-out-everybody.tsx'
import { TermsTab } from './terms-tab.tsx'
import './school.css'

const tabs = [
  ['profile', '学校资料'],
  ['term', '学期'],
  ['holiday', '节假日'],
  ['exam', '考试周'],
  ['place', '场地'],
  ['settings', '规则设置'],
  ['notice', '隐私告知'],
] as const

/**
 * The school: what it says of itself, its calendar, and the rules its programme runs by. What is typed in one tab stays
 * while another is looked at.
 */
export function SchoolInfoPage() {
  const [query, change] = useAddress()
  const navigate = useNavigate()
  const { data: profile } = useCall(schoolInfoApi.profile, {})
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const [dirty, setDirtyParts] = useState<ReadonlySet<string>>(new Set())
  const reportDirty = useCallback(
    (part: 'profile' | 'settings', isDirty: boolean) =>
      setDirtyParts((now) => {
        if (now.has(part) === isDirty) return now
        const next = new Set(now)
        if (isDirty) next.add(part)
        else next.delete(part)
        return next
      }),
    [],
  )
  const active = tabs.find(([key]) => key === query.get('tab'))?.[0] ?? 'profile'
  const contents = {
    profile: profile ? (
      <ProfileTab profile={profile} onDirty={reportDirty} />
    ) : (
      <ReadSkeleton className="school-wait" paragraph={{ rows: 8 }} />
    ),
    term: <TermsTab />,
    holiday: <HolidaysTab />,
    exam: <ExamWeeksTab />,
    place: <PlacesTab />,
    settings: <RulesTab onDirty={reportDirty} />,
    notice: <NoticeTab />,
  }
  return (
    <div className="page school-page">
      <PageHead
        title="学校信息"
        facts={
          profile &&
          [
            profile.schName,
            profile.schCode && `学校代码 ${profile.schCode}`,
            profile.updateTime && `资料更新于 ${profile.updateTime.slice(0, 16)}`,
          ]
            .filter(Boolean)
            .join(' · ')
        }
        tools={
          <>
            {profile && <SignOutEverybody school={profile.schName} />}
            <LockButton
              icon={<AreaChartOutlined />}
              authority-type={provinceApi.own.permit}
              onClick={() => navigate('/basicConfig/schoolInfo/provinceFigures')}
            >
              提供给全省的数字
            </LockButton>
            <LockButton
              icon={<HistoryOutlined />}
              authority-type={schoolInfoApi.profile.permit}
              onClick={() => setHistoryOpen(true)}
            >
              变更记录
            </LockButton>
          </>
        }
      />
      <div className="card school-card">
        <Tabs
          activeKey={active}
          onChange={(key) => change(withParams({ tab: key }), { replace: true })}
          items={tabs.map(([key, title]) => ({
            key,
            label: dirty.has(key) ? `${title} *` : title,
            children: contents[key],
          }))}
        />
      </div>
      {isHistoryOpen && <HistoryDrawer onClose={() => setHistoryOpen(false)} />}
    </div>
  )
}
