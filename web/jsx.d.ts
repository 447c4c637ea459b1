import 'react'

declare module 'react' {
  interface HTMLAttributes<T> {
    /** The right a button asks for; the button is removed where the page's saved rights lack it. */
    'authority-type'?: string
  }
}
