import { useMemo } from 'react'
import { Link } from 'react-router'
import { activeApi } from '../../contract/outcomes/statistics/login-statistics.calls.ts'
import { HomeAgenda } from '../programme/home/home-agenda.tsx'
import { HomeLessons, HomeNotices, HomePublicty } from '../programme/home/home-lessons.tsx'
import { HomeTodos } from '../programme/home/home-todos.tsx'
import { HomeWarnings } from '../programme/home/home-warnings.tsx'
import { ActivePeople } from '../shared/dashboard/active-people.tsx'
import { PageHead } from '../core/screen/page-head.tsx'
import { groupIcon } from './group-icons.tsx'
import { shownMenu } from './menu.ts'
import { useSession } from './session.ts'

/**
 * The first screen: who one is here, what waits, and the way to every screen. Each part shows nothing to somebody
 * without the right to it.
 */
export function HomePage() {
  const session = useSession()
  const groups = useMemo(() => shownMenu(session?.menu ?? []).filter((group) => group.title !== '首页'), [session])
  if (!session) return null
  const { profile } = session
  return (
    <div className="page home">
      <PageHead
        title={`${greeting(new Date().getHours())}，${profile.suNickname}`}
        facts={
          <>
            {profile.schName}
            {profile.previousLoginTime && ` · 上次登录 ${profile.previousLoginTime.slice(0, 16)}`}
          </>
        }
      />
      <HomeTodos />
      <div className="home-board">
        <div className="home-column is-main">
          <HomeAgenda />
        </div>
        <div className="home-column">
          <HomeWarnings />
          <HomePublicty />
          <HomeNotices />
          <HomeLessons />
        </div>
      </div>
      {profile.permissions.includes(activeApi.info.permit) && <ActivePeople />}
      <section className="card home-roles" aria-label="我的角色">
        <h2>我的角色</h2>
        {profile.roles.length > 0 ? (
          <ul>
            {profile.roles.map((role) => (
              <li key={role.srId}>{role.srName}</li>
            ))}
          </ul>
        ) : (
          <p>尚未分配角色，请联系学校管理员。</p>
        )}
      </section>
      <div className="home-groups">
        {groups.map((group) => (
          <section key={group.title} className="card" aria-label={group.title}>
            <h2>
              <span aria-hidden="true">{groupIcon(group.title)}</span>
              {group.title}
            </h2>
            <ul>
              {group.pages.map((page) => (
                <li key={page.path}>
                  <Link to={page.path}>{page.title}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

const greeting = (hour: number): string =>
  hour < 6 ? '夜深了' : hour < 11 ? '早上好' : hour < 13 ? '中午好' : hour < 18 ? '下午好' : '晚上好'
