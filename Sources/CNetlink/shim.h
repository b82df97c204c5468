// libnl-3 for sockets and message exchange; the kernel's own headers for the numbers.
#pragma once
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <netlink/msg.h>
#include <netlink/handlers.h>
#include <netlink/errno.h>
#include <linux/rtnetlink.h>
#include <linux/if_link.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/fib_rules.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/veth.h>
