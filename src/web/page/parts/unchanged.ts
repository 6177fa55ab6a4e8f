// Draws its children again only when something that they are made of has changed.

import { Component, type ComponentChildren } from 'preact';

interface UnchangedProps {
  /** What they are made of. */
  of: readonly unknown[];
  children: () => ComponentChildren;
}

export class Unchanged extends Component<UnchangedProps> {
  override shouldComponentUpdate(next: UnchangedProps): boolean {
    return next.of.length !== this.props.of.length || next.of.some((value, i) => value !== this.props.of[i]);
  }

  override render({ children }: UnchangedProps): ComponentChildren {
    return children();
  }
}
