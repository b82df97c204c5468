"""The control of the background clients, without a fault."""
from background import Background

Background.main()
