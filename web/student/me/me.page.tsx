import { ownProfileApi } from '../../../contract/student/profile.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { personalApi } from '../../../contract/programme/personal/personal.calls.ts'
import { download } from '../../core/service/api.ts'
import { usePref } from '../../core/service/prefs.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useSession } from '../../app/session.ts'
import { chooseTheme, useTheme, type ThemeMode } from '../../app/theme.ts'
import { Card, Facts, LinkRow, Tabs } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'
import { useLeave } from './use-leave.ts'
import { InstallCard } from './install-card.tsx'

const themes = [
  ['light', '浅色'],
  ['dark', '深色'],
  ['system', '跟随系统'],
] as const

/** What belongs to the person: account, devices, data, how it looks. */
export function MePage() {
  const session = useSession()
  const { mode } = useTheme()
  const [, keepTheme] = usePref<ThemeMode>('theme', mode)
  const { leave, question } = useLeave()
  const { data } = useCall(messageApi.count, {})
  const { data: profile, isPending } = useCall(ownProfileApi.read, {}, { quiet: true })
  // holds the line of a fact that is still on its way, so that what stands below stays where it is
  const onceKnown = (fact: string | null | undefined) => (isPending ? '…' : fact)
  const username = session?.profile.username
  return (
    <Page title="我" isRoot>
      <Card title={session?.profile.suNickname ?? ''}>
        <Facts
          of={[
            ['学校', session?.profile.schName],
            ['学院', onceKnown(profile?.suiCollegeName)],
            ['班级', onceKnown(profile?.scClassName)],
            ['学号', onceKnown(profile?.suiNumber)],
            ['上次登录', session?.profile.previousLoginTime?.slice(0, 16)],
            ['账号', isPending || profile?.suiNumber === username ? '' : username],
          ]}
        />
      </Card>
      <nav className="s-card" aria-label="我的">
        <LinkRow to="/me/profile" title="基本信息" note="学籍、政治面貌等，有误时找谁更正" />
        <LinkRow to="/messages" title="消息" note={data?.unread ? `${data.unread} 条未读` : '没有未读消息'} />
        <LinkRow to="/calendar" title="日历" note="我的活动，可订阅到手机日历" />
        <LinkRow to="/news" title="新闻" />
        <LinkRow to="/me/contact" title="联系方式" note="手机号、邮箱与宿舍" />
        <LinkRow to="/me/message-preferences" title="消息接收方式" note="邮件、短信等，收不收、何时收" />
        <LinkRow to="/me/password" title="修改密码" />
        <LinkRow to="/me/devices" title="登录设备" note="查看并退出其他设备，绑定登录方式" />
        <LinkRow to="/me/second-factor" title="动态口令" note="登录时除密码外再验证手机" />
        <LinkRow to="/me/privacy" title="隐私告知" />
        <button
          type="button"
          className="s-row"
          onClick={() => void download(personalApi.myData, { format: 'html' }).catch(() => undefined)}
        >
          <span className="s-row-text">
            <strong>下载我的数据</strong>
            <small>系统中保存的与您有关的全部内容</small>
          </span>
        </button>
      </nav>
      <InstallCard />
      <Card title="外观">
        <Tabs
          of={themes}
          value={mode}
          label="外观"
          onChange={(next: ThemeMode) => {
            chooseTheme(next)
            keepTheme(next)
          }}
        />
      </Card>
      {question ?? (
        <button type="button" className="s-button s-wide" onClick={leave}>
          退出登录
        </button>
      )}
    </Page>
  )
}
