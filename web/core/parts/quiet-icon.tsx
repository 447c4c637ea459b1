import Icon from '@ant-design/icons/es/components/AntdIconLight'
import type { ComponentProps } from 'react'

/**
 * Every icon of the kit: a drawing beside words, which readers of the screen need not hear in English (“plus”, “down”).
 * One that stands alone is given a Chinese `aria-label`, and is a picture of that name. vite.config.ts puts this in the
 * place of the kit's own.
 */
function QuietIcon(props: ComponentProps<typeof Icon>) {
  const isNamed = props['aria-label'] !== undefined || props['aria-labelledby'] !== undefined
  return isNamed ? (
    <Icon {...props} />
  ) : (
    <Icon aria-hidden aria-label={undefined} {...props} role={props.role ?? undefined} />
  )
}

// the kit's icons ask for the default of their module
export { QuietIcon as default }
