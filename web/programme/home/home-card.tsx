import type { ReactNode } from 'react'
import './home.css'

interface HomeCardProps {
  title: string
  /** Beside the title: the way to all of what the card shows, or what it can be changed by. */
  beside?: ReactNode
  /** True until what it shows has been read. */
  isBusy?: boolean
  children: ReactNode
}

/** A part of the first screen. */
export function HomeCard({ title, beside, isBusy = false, children }: HomeCardProps) {
  return (
    <section className="card home-card" aria-label={title} aria-busy={isBusy}>
      <header>
        <h2>{title}</h2>
        {beside}
      </header>
      {children}
    </section>
  )
}
