import { useEffect, useRef, type ReactNode } from 'react'
import { useNavigate } from 'react-router'

interface PageProps {
  title: string
  /** Beside the title: an action of the whole page. */
  action?: ReactNode
  /** A page of one of the tabs has nowhere to go back to. */
  isRoot?: boolean
  /** Sticks to the lower edge, within reach of the thumb. */
  foot?: ReactNode
  children: ReactNode
}

/** Whether a page has been shown before: the first one is read from its beginning by itself. */
let isLater = false

/** A page of the students' side: its head with the way back, what it shows, and what is done at its foot. */
export function Page({ title, action, isRoot = false, foot, children }: PageProps) {
  const navigate = useNavigate()
  // a page that was opened by its address has nothing before it here
  const goBack = () =>
    (window.history.state as { idx?: number } | null)?.idx ? navigate(-1) : navigate('/', { replace: true })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // the link that led here is gone: whoever uses a keyboard or hears the page goes on at its beginning
    if (isLater) heading.current?.focus({ preventScroll: true })
    isLater = true
  }, [])
  useEffect(() => {
    document.title = `${title} - 第二课堂`
    window.scrollTo(0, 0)
  }, [title])
  return (
    <div className={foot ? 's-page s-page-footed' : 's-page'}>
      <header className="s-head">
        {!isRoot && (
          <button type="button" className="s-back" aria-label="返回" onClick={() => void goBack()}>
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
              <path d="M15 5l-7 7 7 7" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
            </svg>
          </button>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {action}
      </header>
      <main>{children}</main>
      {foot && <footer className="s-foot">{foot}</footer>}
    </div>
  )
}
