import { useId, type ReactNode } from 'react'
import './login.css'
import { useTheme } from './theme.ts'

/** How a school shows itself before the sign-in; pictures are data addresses. */
export interface Branding {
  schName: string
  schMotto: string
  logo: string | null
  loginBg: string | null
}

/**
 * The frame of the pages before the sign-in: what the product is at the left, or how the school shows itself, and the
 * card with the form at the right.
 */
export function PublicFrame({
  title,
  hint,
  look,
  beside,
  children,
}: {
  title: string
  hint?: ReactNode
  look?: Branding | undefined
  /** Stands at the left, over what the product is, in place of the drawing; on a phone below the form. */
  beside?: ReactNode
  children: ReactNode
}) {
  const { mode, next } = useTheme()
  return (
    <div className={`public${beside ? ' public-two' : ''}`}>
      <aside
        className={`public-brand${look?.loginBg ? ' public-photo' : ''}`}
        aria-hidden="true"
        style={look?.loginBg ? { backgroundImage: `url("${look.loginBg}")` } : undefined}
      >
        {look?.logo ? (
          <span className="public-school">
            <img className="mark" src={look.logo} alt="" />
            {look.schName}
          </span>
        ) : (
          <Mark />
        )}
        <div>
          <p className="public-name">第二课堂</p>
          <p className="public-slogan">{look?.schMotto || '活动、审批、学分与成绩单，一处管理'}</p>
        </div>
        {!look?.loginBg && !beside && (
          <svg className="public-art" viewBox="200 30 320 320">
            <circle cx="360" cy="190" r="150" />
            <circle cx="360" cy="190" r="104" />
            <circle cx="360" cy="190" r="58" />
            <path d="M360 40v300M210 190h300M254 84l212 212M466 84 254 296" />
            <path className="public-radar" d="m360 74 88 62 22 66-48 88-62 18-70-40-46-70 38-84z" />
          </svg>
        )}
      </aside>
      <main className="public-main">
        <button type="button" className="theme-button" onClick={next}>
          {mode === 'dark' ? '深色' : mode === 'light' ? '浅色' : '跟随系统'}
        </button>
        <div className="public-card">
          <div className="public-small-brand">
            {look?.logo ? <img className="mark" src={look.logo} alt="" /> : <Mark />}
            <span>第二课堂管理平台</span>
          </div>
          <h1>{title}</h1>
          {hint && <p className="public-hint">{hint}</p>}
          {children}
        </div>
      </main>
      {beside}
    </div>
  )
}

/**
 * The product's mark. Its gradient has an id of its own, because a hidden mark's gradient would not be drawn for
 * another.
 */
export function Mark() {
  const fill = useId()
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <defs>
        <linearGradient id={fill} x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="#2458C5" />
          <stop offset="1" stopColor="#1FA39A" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="8" fill={`url(#${fill})`} />
      <path d="M10 12h12M7.5 22h17" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
