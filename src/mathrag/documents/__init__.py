"""From bytes to a `Document`: readers per format behind one seam, and the views made of what they read."""
